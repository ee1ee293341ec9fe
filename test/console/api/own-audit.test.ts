import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FORGET_ADDRESSES_MS } from '#accounts/index.ts'
import type { OwnAuditEntry } from '#api/contract/index.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, credit, operate, type Answer } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { openEmptyStore, testOnEachEngine } from '../../support/each-engine.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import { post, resetPassword, servePeople, signedIn } from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD } from '../../support/identity/visitor.ts'
import { at, join } from '../../support/members.ts'
import type { Service } from '../../support/service.ts'

const service = await servePeople({ after })
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** They name who did it otherwise than the operator's do. */
function entriesOf({ json }: Answer): OwnAuditEntry[] {
  return json.data as unknown as OwnAuditEntry[]
}

async function actionsOf(person: ConsolePerson, query = ''): Promise<readonly string[]> {
  const { json } = await person.own('GET', `/audit${query}`)
  return json.data.map(({ action }) => action)
}

testOnEachEngine(
  'what is done to an account is told to its person, and to nobody else',
  async (t, engine) => {
    const { store, directory, databaseUrl } = await openEmptyStore(t, engine)
    await store.close()
    const given = databaseUrl === undefined ? { embedded: true as const } : { databaseUrl }
    const own = await servePeople(t, { ...given, dataDir: directory })
    const [ana, bia] = [await openConsolePerson(own), await openConsolePerson(own)]
    const { json: made } = await ana.own('POST', '/keys', { name: 'laptop' })
    await ana.own('PATCH', '', { daily_ceiling_eur: '5.00' })
    await credit(own, ana.accountId, 'deposit', '20.00')
    await operate(own, 'PATCH', `/accounts/${ana.accountId}`, { suspended: true })
    await bia.own('POST', '/keys', { name: 'of Bia' })
    const answer = await ana.own('GET', '/audit')
    const entries = entriesOf(answer)
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor.kind]),
      [
        ['account.changed', 'operator'],
        ['credit.booked', 'operator'],
        ['account.changed', 'you'],
        ['key.created', 'you'],
        ['session.begun', 'you'],
        ['account.created', 'you'],
      ],
    )
    assert.equal(answer.json.next_cursor, null)
    assert.deepEqual(entries[3]?.details, { key_id: made.id, name: 'laptop' })
    assert.equal(entries[1]?.address, null, 'where the operator sits is nobody’s to read')
    assert.doesNotMatch(answer.text, /Bia/)
    assertRefused(
      await call(own, 'GET', `/console/api/accounts/${ana.accountId}/audit`, {
        headers: bia.session,
      }),
      'not_found',
    )
    await pageThrough(ana)
  },
)

test('owners and who only reads see all of an account, others what they did themselves', async () => {
  const owner = await openConsolePerson(service)
  const [developer, reader] = [await join(owner, 'developer'), await join(owner, 'read_only')]
  await owner.own('POST', '/keys', { name: 'of the owner' })
  await at(developer, owner.accountId)('POST', '/keys', { name: 'of the developer' })
  const read = (person: ConsolePerson, kind: string) =>
    at(person, owner.accountId)('GET', `/audit?kind=${kind}`)
  const whole = entriesOf(await read(reader, 'keys'))
  assert.deepEqual(
    whole.map(({ actor, address }) => [actor.kind, actor.email, address]),
    [
      ['person', developer.email, null],
      ['person', owner.email, null],
    ],
  )
  const part = await read(developer, 'keys')
  assert.deepEqual(
    entriesOf(part).map(({ actor, details }) => [actor.kind, actor.email, details['name']]),
    [['you', null, 'of the developer']],
  )
  assert.deepEqual(
    entriesOf(await read(developer, 'members')).map(({ action, about_email: email }) => [
      action,
      email,
    ]),
    [['member.joined', developer.email]],
  )
  assert.equal(entriesOf(await read(developer, 'sign_in'))[0]?.action, 'session.begun')
  // Who is a member no more is named to nobody.
  await owner.own('DELETE', `/members/${developer.personId}`)
  assertRefused(await read(developer, 'keys'), 'not_found')
  const later = await at(reader, owner.accountId)('GET', '/audit')
  assert.ok(!later.text.includes(developer.email))
  const [removed] = entriesOf(later)
  assert.deepEqual(
    [removed?.action, removed?.actor.email, removed?.about_email],
    ['member.removed', owner.email, null],
  )
})

/** Entries of one moment are all told, each once. */
async function pageThrough(ana: ConsolePerson): Promise<void> {
  const whole = await ana.own('GET', '/audit')
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Answer = await ana.own('GET', `/audit?limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...page.json.data.map(({ id }) => id))
    cursor = page.json.next_cursor
  }
  assert.deepEqual(
    paged,
    whole.json.data.map(({ id }) => id),
  )
}

test('how somebody signs in is told with where it was done, in the order in which it was', async () => {
  const visitor = await signedIn(service)
  const from = { 'x-forwarded-for': '203.0.113.7', 'user-agent': FIREFOX }
  const ask = (path: string, body: unknown) =>
    visitor.fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { ...from, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { totpURI } = (await (await ask('/two-factor/enable', { password: PASSWORD })).json()) as {
    totpURI: string
  }
  await ask('/two-factor/verify-totp', { code: readCode(totpURI, Date.now()) })
  await ask('/two-factor/generate-backup-codes', { password: PASSWORD })
  const another = createVisitor(service)
  const step = await post(another, '/sign-in/email', { email: visitor.email, password: PASSWORD })
  assert.deepEqual(step.body, { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  await post(another, '/two-factor/verify-totp', { code: readCode(totpURI, Date.now() + 30_000) })
  await post(another, '/sign-out', {})
  await ask('/two-factor/disable', { password: PASSWORD })
  await ask('/change-email', { newEmail: 'elsewhere@example.com' })
  await ask('/change-password', { currentPassword: PASSWORD, newPassword: 'another long password' })
  const headers = writeSession(visitor, service)
  const { json: accounts } = await call(service, 'GET', '/console/api/accounts', { headers })
  const path = `/console/api/accounts/${accounts.data[0].id}/audit?kind=sign_in`
  const answer = await call(service, 'GET', path, { headers })
  const entries = entriesOf(answer)
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      'password.changed',
      'email.change_asked',
      'two_factor.off',
      'session.ended',
      'session.begun',
      'two_factor.codes_made',
      'two_factor.on',
      'session.begun',
    ],
  )
  assert.deepEqual(entries[4]?.details['by'], 'code')
  const [latest] = entries
  assert.deepEqual(
    [latest?.address, latest?.browser, latest?.system],
    ['203.0.113.7', 'Firefox', 'Windows'],
  )
  assert.doesNotMatch(answer.text, /elsewhere|password long|secret=/)
})

test('a password that was set by a link, ended sessions and a wrong password', async () => {
  const ana = await openConsolePerson(service)
  await post(createVisitor(service), '/sign-in/email', {
    email: ana.email,
    password: 'wrong wrong',
  })
  await createVisitor(service).signIn(ana.email)
  const { json: sessions } = await ana.ask('GET', '/sessions')
  const other = sessions.data.find(({ current }) => !current)
  await ana.ask('DELETE', `/sessions/${other?.id}`)
  await ana.ask('DELETE', '/sessions')
  assert.deepEqual(await actionsOf(ana, '?kind=sign_in'), [
    'session.others_ended',
    'session.ended',
    'session.begun',
    'session.begun',
  ])
  await resetPassword(service, ana.email, 'another long password')
  const { json } = await operate(service, 'GET', `/audit?person_id=${ana.personId}&limit=1`)
  const [{ action, acted_as: part, person_id: about }] = json.data
  assert.deepEqual([action, part, about], ['password.reset', 'person', ana.personId])
})

test('entries are found by what they are about and by day', async () => {
  const ana = await openConsolePerson(service)
  await ana.own('POST', '/keys', { name: 'first' })
  await ana.own('PUT', '/alerts', { low_balance_eur: '1.00', ceiling: true })
  const today = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
  service.clock.advance(86_400_000)
  const tomorrow = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
  await ana.own('POST', '/keys', { name: 'second' })
  assert.deepEqual(await actionsOf(ana, '?kind=keys'), ['key.created', 'key.created'])
  assert.deepEqual(await actionsOf(ana, `?kind=keys&from=${tomorrow}`), ['key.created'])
  assert.deepEqual(await actionsOf(ana, `?to=${today}&kind=limits`), ['alerts.changed'])
  assert.deepEqual(await actionsOf(ana, `?from=${tomorrow}&to=${today}`), [])
  assertRefused(await ana.own('GET', '/audit?kind=secrets'), 'invalid_request')
  assertRefused(await ana.own('GET', '/audit?from=2026-02-30'), 'invalid_request')
  assertRefused(await ana.own('GET', '/audit?cursor=x'), 'invalid_request')
  service.clock.advance(-86_400_000)
})

test('what is about an account is read by the operator alone, with where it came from', async () => {
  const ana = await openConsolePerson(service)
  await ana.own('POST', '/keys', { name: 'laptop' })
  const { json } = await operate(service, 'GET', `/audit?account_id=${ana.accountId}&limit=1`)
  const [entry] = json.data
  assert.deepEqual(
    [entry.action, entry.actor, entry.acted_as, entry.account_id],
    ['key.created', ana.personId, 'person', ana.accountId],
  )
  assert.equal(entry.address, '127.0.0.1')
  const next = `/audit?account_id=${ana.accountId}&cursor=${json.next_cursor}`
  assert.equal((await operate(service, 'GET', next)).json.data[0].action, 'account.created')
  assertRefused(
    await operate(service, 'GET', `/audit?account_id=x&cursor=aud_1`),
    'invalid_request',
  )
})

testOnEachEngine(
  'after a year sign-ins and addresses are forgotten; what was done to keys stays',
  async (t, engine) => {
    const { store, directory, databaseUrl } = await openEmptyStore(t, engine)
    await store.close()
    const given = databaseUrl === undefined ? { embedded: true as const } : { databaseUrl }
    const own = await servePeople(t, { ...given, dataDir: directory })
    const ana = await openConsolePerson(own)
    await ana.own('POST', '/keys', { name: 'laptop' })
    await assertForgets(own, ana, 'key.created session.begun account.created', true)
    own.clock.advance(FORGET_ADDRESSES_MS)
    await assertForgets(own, ana, 'key.created session.begun account.created', true)
    own.clock.advance(1)
    await assertForgets(own, ana, 'key.created account.created', false)
  },
)

async function assertForgets(
  own: Service,
  { accountId, personId }: ConsolePerson,
  left: string,
  isKnown: boolean,
): Promise<void> {
  await own.app.identity.sweep()
  const path = `/audit?account_id=${accountId}&person_id=${personId}`
  const { json } = await operate(own, 'GET', path)
  assert.equal(json.data.map(({ action }) => action).join(' '), left)
  const key = json.data.find(({ action }) => action === 'key.created')
  assert.equal(key?.address !== null, isKnown)
  assert.equal(key?.user_agent !== null, isKnown)
}
