import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MEMBER_ROLES, type MemberRole } from '#accounts/index.ts'
import { createContract, type Operation } from '#api/contract/index.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { fillPath, openOwnPlaces, openPlaces } from '../../support/fill-path.ts'
import { servePeople } from '../../support/identity/people.ts'
import { join } from '../../support/members.ts'

const service = await servePeople({ after })
const owner = await openConsolePerson(service)
const { accountId } = owner
const places = await openPlaces(service, { accountId, keyId: 'key_1', key: '' })
const own = await openOwnPlaces(service, places, owner.session)
const people = new Map<MemberRole, ConsolePerson>()
for (const role of MEMBER_ROLES) people.set(role, await join(owner, role))

const ALL = ['owner', 'developer', 'billing', 'read_only'] as const
const NOT_BILLING = ['owner', 'developer', 'read_only'] as const
const TECHNICAL = ['owner', 'developer'] as const
const NOT_DEVELOPER = ['owner', 'billing', 'read_only'] as const
const PAYING = ['owner', 'billing'] as const

/** What was promised, in words of its own: an operation that is not here has not been thought about. */
const MAY: Readonly<Record<string, readonly MemberRole[]>> = {
  getOwnStanding: ALL,
  watchOwnStanding: ALL,
  getOwnUsage: ALL,
  listMembers: ALL,
  listOwnAudit: ALL,
  listOwnRequests: NOT_BILLING,
  getOwnRequest: NOT_BILLING,
  listOwnKeys: NOT_BILLING,
  createOwnKey: TECHNICAL,
  updateOwnKey: TECHNICAL,
  rollOwnKey: TECHNICAL,
  revokeOwnKey: TECHNICAL,
  ownChat: TECHNICAL,
  updateOwnAccount: TECHNICAL,
  listOwnMovements: NOT_DEVELOPER,
  getOwnAlerts: NOT_DEVELOPER,
  listOwnTopups: NOT_DEVELOPER,
  getOwnTopup: NOT_DEVELOPER,
  listOwnDocuments: NOT_DEVELOPER,
  createOwnTopup: PAYING,
  setOwnAlerts: PAYING,
  listInvitations: ['owner', 'read_only'],
  createInvitation: ['owner'],
  withdrawInvitation: ['owner'],
  updateMember: ['owner'],
  removeMember: ['owner'],
  leaveAccount: ALL,
}

const operations: readonly Operation[] = createContract('svc').operations
const ofPeople = operations.filter(({ auth }) => auth === 'session')
/** Last, for they end what the others need. */
const LAST = ['leaveAccount']
const ofAccounts = ofPeople
  .filter(({ need }) => need !== 'self')
  .toSorted((one, other) => LAST.indexOf(one.id) - LAST.indexOf(other.id))

test('every operation of the console says what it needs, and no other one does', () => {
  const silent = operations.filter(
    ({ auth, need }) => (auth === 'session') !== (need !== undefined),
  )
  assert.deepEqual(silent, [])
  assert.deepEqual(ofAccounts.map(({ id }) => id).toSorted(), Object.keys(MAY).toSorted())
  // What names no account cannot be looked at by any right in one.
  for (const { id, path, need } of ofPeople) {
    assert.equal(/\{(account|topup)_id\}/.test(path), need !== 'self', id)
  }
})

for (const operation of ofAccounts) {
  for (const role of MEMBER_ROLES) {
    const isAllowed = MAY[operation.id]?.includes(role) ?? false
    test(`${operation.id} is ${isAllowed ? 'for' : 'refused to'} a member who is ${role}`, async () => {
      const person = people.get(role)
      assert.ok(person)
      const [example] = Object.values(operation.body?.examples ?? {})
      const answer = await call(
        service,
        operation.method.toUpperCase(),
        // Of what is there once, another one is asked for.
        fillPath(operation.path, { ...own, memberId: 'per_none' }),
        { headers: person.session, ...(example !== undefined && { body: example }) },
      )
      if (!isAllowed) {
        assert.match(assertRefused(answer, 'not_permitted'), /^Your role in this account is /)
        return
      }
      if (answer.status < 300) return
      // The account is theirs; what was asked for in it is gone by now, or never was there.
      assert.match(answer.text, /no such member|no invitation|no key|revoked/, answer.text)
    })
  }
}
