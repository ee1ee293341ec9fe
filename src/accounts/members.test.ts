import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { inTransaction, withTables, type Engine } from '#platform/store/index.ts'
import { testOnEachEngine } from '../../test/support/each-engine.ts'
import { openGateStore, startReplica } from '../../test/support/gate-rooms.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createPersons, type MemberRole } from './index.ts'
import { MAX_MEMBERS } from './invitation.ts'
import { addMember } from './member.ts'
import type { AccountsTables } from './tables.ts'

/** The real accounts on a store of this kind. */
async function openWorld(t: TestContext, engine: Engine) {
  const opened = await openGateStore(t, engine)
  const clock = createManualClock()
  const replica = startReplica(opened, { clock })
  t.after(() => replica.close())
  const { accounts, ledger } = replica
  const { store } = opened
  const db = withTables<AccountsTables>(store.db)
  const onChange = { account: () => {}, key: () => {} }
  const persons = createPersons({ store, ledger, clock, onChange })
  let people = 0

  async function create() {
    const email = `person-${(people += 1)}@example.com`
    const { id, personId } = await accounts.create({ email, name: undefined }, 'start')
    await persons.confirmAddress(personId)
    return { accountId: id, personId, email }
  }

  return {
    db,
    clock,
    accounts,
    persons,
    create,
    /** The account of the first of these members, by their ids. */
    async open(...others: readonly MemberRole[]) {
      const { accountId, personId } = await create()
      const ids = [personId]
      for (const role of others) {
        const { personId: id } = await create()
        await inTransaction(db, (tx) => addMember(tx, { accountId, personId: id }, role, people))
        ids.push(id)
      }
      return { accountId, ids }
    },
    async owners(accountId: string) {
      const members = await accounts.members.list(accountId)
      return members.filter(({ role }) => role === 'owner').map(({ personId }) => personId)
    },
  }
}

testOnEachEngine('of owners that all go at the same moment one stays', async (t, engine) => {
  const world = await openWorld(t, engine)
  const { members } = world.accounts
  for (let round = 0; round < 4; round += 1) {
    const { accountId, ids } = await world.open('owner', 'owner', 'owner')
    const [first = '', second = '', third = '', fourth = ''] = ids
    const place = (personId: string) => ({ accountId, personId })
    const outcomes = await Promise.all([
      members.remove(place(first), first),
      members.remove(place(second), third),
      members.changeRole(place(third), 'developer', third),
      world.persons.leaveSharedAccounts(fourth, fourth),
    ])
    const refused = outcomes.filter(({ kind }) => kind === 'last_owner')
    const owners = await world.owners(accountId)
    assert.deepEqual([refused.length, owners.length], [1, 1])
    // The account bears the name of the one who is left.
    assert.equal((await world.accounts.find(accountId))?.personId, owners[0])
  }
})

testOnEachEngine(
  'of two owners that delete themselves at once one is told to hand over',
  async (t, engine) => {
    const world = await openWorld(t, engine)
    const { accountId, ids } = await world.open('owner', 'billing')
    const [first = '', second = ''] = ids
    const leaving = await Promise.all([
      world.persons.leaveSharedAccounts(first, first),
      world.persons.leaveSharedAccounts(second, second),
    ])
    assert.deepEqual(leaving.map(({ kind }) => kind).toSorted(), ['last_owner', 'left'])
    assert.equal((await world.owners(accountId)).length, 1)
  },
)

testOnEachEngine('of many who accept at once no more join than may', async (t, engine) => {
  const world = await openWorld(t, engine)
  const { members } = world.accounts
  const others = Array.from({ length: MAX_MEMBERS - 3 }, () => 'read_only' as const)
  const { accountId, ids } = await world.open(...others)
  const [owner = ''] = ids
  const invited = []
  for (const role of ['developer', 'billing'] as const) {
    const { personId, email } = await world.create()
    const inviting = await members.invite({ accountId, email, role }, owner)
    assert.equal(inviting.kind, 'invited')
    invited.push({ personId, token: inviting.kind === 'invited' ? inviting.token : '' })
  }
  const wish = { accountId, email: 'one-more@example.com', role: 'billing' } as const
  assert.equal((await members.invite(wish, owner)).kind, 'full')
  const [one, other] = invited
  assert.ok(one && other)
  const accept = (token: string, personId: string) => members.accept(token, personId, personId)
  assert.equal((await accept(one.token, other.personId)).kind, 'another_person')
  const outcomes = await Promise.all([
    accept(one.token, one.personId),
    accept(one.token, one.personId),
    accept(other.token, other.personId),
  ])
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['accepted', 'accepted', 'over'])
  assert.equal((await members.list(accountId)).length, MAX_MEMBERS)
})

testOnEachEngine('an invitation that is over is forgotten after a day', async (t, engine) => {
  const world = await openWorld(t, engine)
  const { accountId, ids } = await world.open()
  const { members } = world.accounts
  const wish = { accountId, email: 'nobody@example.com', role: 'billing' } as const
  const inviting = await members.invite(wish, ids[0] ?? '')
  assert.ok(inviting.kind === 'invited')
  await world.persons.forgetInvitations()
  assert.equal((await members.invitations(accountId)).length, 1)
  assert.equal(await members.withdraw(accountId, inviting.invitation.id, ids[0] ?? ''), true)
  assert.equal(await members.withdraw(accountId, inviting.invitation.id, ids[0] ?? ''), false)
  const kept = () => world.db.selectFrom('invitation').select('email').execute()
  await world.persons.forgetInvitations()
  assert.equal((await kept()).length, 1)
  world.clock.advance(86_400_001)
  await world.persons.forgetInvitations()
  assert.deepEqual(await kept(), [])
})
