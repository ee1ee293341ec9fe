import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, hello } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { at, join } from '../../support/members.ts'

const service = await servePeople({ after })

/** Sessions begin by the clock of the system. */
beforeEach(() => service.clock.set(Date.now()))

interface Data {
  readonly memberships: readonly { readonly account_id: string; readonly role: string }[]
  readonly invitations: Readonly<Record<'sent' | 'received', readonly Invitation[]>>
  readonly elsewhere: readonly {
    readonly action: string
    readonly actor: string
    readonly address?: string | null
  }[]
  readonly accounts: readonly {
    readonly requests: readonly { readonly request_id: string }[]
    readonly keys: readonly { readonly name: string }[]
  }[]
}

interface Invitation {
  readonly email: string
  readonly account_id: string
}

const take = (person: ConsolePerson, body: unknown = { password: PASSWORD }) =>
  person.ask('POST', '/person/export', body)

test('one takes along what is one’s own alone, after showing who one is, and it is written down', async () => {
  const [ana, bia] = [await openConsolePerson(service), await openConsolePerson(service)]
  await ana.own('POST', '/keys', { name: 'of Ana' })
  await bia.own('POST', '/keys', { name: 'of Bia' })
  assertRefused(await take(ana, {}), 'wrong_password')
  assertRefused(await take(ana, { password: 'not the password' }), 'wrong_password')
  service.clock.advance(11 * 60_000)
  assertRefused(await take(ana), 'sign_in_again')
  service.clock.set(Date.now())
  const { status, text } = await take(ana)
  assert.equal(status, 200)
  assert.ok(text.includes(ana.email) && text.includes('of Ana'))
  assert.ok(!text.includes(bia.email) && !text.includes('of Bia') && !text.includes(bia.accountId))
  const { json } = await ana.own('GET', '/audit?limit=1')
  assert.equal(json.data[0].action, 'person.exported')
})

test('a member takes along what is theirs in the account of another, and nothing else of it', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'developer')
  const { accountId } = owner
  await owner.own('POST', '/keys', { name: 'of the owner' })
  await at(member, accountId)('POST', '/keys', { name: 'of the member' })
  const read = async () => JSON.parse((await take(member)).text) as Data
  const joined = await read()
  assert.deepEqual(
    Object.fromEntries(joined.memberships.map(({ account_id: id, role }) => [id, role])),
    { [accountId]: 'developer', [member.accountId]: 'owner' },
  )
  assert.equal(joined.accounts.length, 1)
  const { sent, received } = joined.invitations
  assert.deepEqual(
    [sent.length, received.map(({ email, account_id: id }) => [email, id])],
    [0, [[member.email, accountId]]],
  )
  await owner.own('DELETE', `/members/${member.personId}`)
  const left = await read()
  assert.deepEqual(
    left.elsewhere.map(({ action, actor, address }) => [action, actor, address]),
    [
      ['member.removed', owner.personId, undefined],
      ['key.created', member.personId, '127.0.0.1'],
      ['member.joined', member.personId, '127.0.0.1'],
    ],
  )
  const text = JSON.stringify([joined, left])
  assert.ok(text.includes('of the member'))
  assert.ok(!text.includes(owner.email) && !text.includes('of the owner'))
})

test('it is downloaded three times a day, and not by one who asks four times at once', async () => {
  const ana = await openConsolePerson(service)
  const answers = await Promise.all([take(ana), take(ana), take(ana), take(ana)])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 200, 200, 429],
  )
  const late = answers.find(({ status }) => status === 429)
  assert.ok(late)
  assertRefused(late, 'too_many_attempts')
  assert.ok(Number(late.headers.get('retry-after')) > 86_000)
})

test('an account with more requests than fit a page is told whole', async () => {
  const ana = await openConsolePerson(service)
  const { json: made } = await ana.own('POST', '/keys', { name: 'busy' })
  assert.equal((await chat(service, made.key, 'air', hello)).status, 200)
  // What 1 200 requests would leave; each costs nothing, so that the books still add up.
  await sql`insert into receipt with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
    select 'req_' || (1000000 + i), account_id, key_id, brand, model, prompt_tokens, completion_tokens,
      usage_source, 0, 0, finish_reason, ended, day, created_at, charged_at, duration_ms, first_token_ms
    from n, (select * from receipt where account_id = ${ana.accountId}) as one`.execute(
    service.store.db,
  )
  const { text } = await take(ana)
  const { accounts } = JSON.parse(text) as Data
  const ids = new Set(accounts[0]?.requests.map(({ request_id: id }) => id))
  assert.equal(ids.size, 1_201)
})
