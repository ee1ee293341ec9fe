import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, credit, hello, operate } from '../../support/call.ts'
import { openConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'

const service = await servePeople({ after })

test('whoever has not called yet can, and sees what the next tier takes', async () => {
  const { own, ask } = await openConsolePerson(service)
  const { json } = await own('GET', '/standing')
  const now = service.clock.nowMs()
  const [listed] = (await ask('GET', '/accounts')).json.data
  assert.deepEqual({ ...listed, ...json.account }, listed)
  assert.deepEqual(json.windows, {
    requests: { limit: 10, left: 10 },
    tokens: { limit: 10_000, left: 10_000 },
    resets_at: now + 60_000,
  })
  const midnight = now - (now % 86_400_000) + 86_400_000
  assert.deepEqual(json.ceiling, { eur: null, left_eur: null, resets_at: midnight })
  assert.deepEqual(json.next_tier, {
    tier: 2,
    requests_per_minute: 100,
    tokens_per_minute: 200_000,
    from_eur: '10.00',
    have_eur: '1.00',
  })
  assert.deepEqual([json.blocker, json.last_request, json.as_of], [null, null, now])
})

test('after a request the standing says what its headers said, and names it', async () => {
  const { own } = await openConsolePerson(service)
  const { json: key } = await own('POST', '/keys', { name: 'first' })
  const reply = await chat(service, key.key, 'air', hello)
  const { json } = await own('GET', '/standing')
  const left = String(reply.headers.get('ratelimit'))
  const { requests, tokens } = json.windows
  assert.match(left, new RegExp(`"requests";r=${requests.left};.*"tokens";r=${tokens.left};`))
  const [receipt] = (await own('GET', '/requests')).json.data
  assert.deepEqual(json.last_request, {
    request_id: receipt?.request_id,
    brand: 'air',
    created_at: receipt?.created_at,
    cost_eur: receipt?.cost_eur,
  })
  assert.equal(json.account.spent_today_eur, receipt?.cost_eur)
})

test('what blocks is named as it is met: ceiling, requests, suspension, balance', async () => {
  const { own, accountId } = await openConsolePerson(service)
  const blocker = async () => (await own('GET', '/standing')).json.blocker
  const { json: key } = await own('POST', '/keys', { name: 'one' })
  await own('PATCH', '', { daily_ceiling_eur: '0.00' })
  assert.equal(await blocker(), 'ceiling')
  assertRefused(await chat(service, key.key, 'air', hello), 'daily_spend_limit_reached')
  for (let count = 1; count < 10; count += 1) await chat(service, key.key, 'air', hello)
  assert.equal(await blocker(), 'requests')
  assertRefused(await chat(service, key.key, 'air', hello), 'rate_limit_rpm')
  await operate(service, 'PATCH', `/accounts/${accountId}`, { suspended: true })
  assert.equal(await blocker(), 'suspended')
  await operate(service, 'PATCH', `/accounts/${accountId}`, { suspended: false })
  service.clock.advance(60_000)
  await own('PATCH', '', { daily_ceiling_eur: null })
  assert.equal(await blocker(), null)
})

test('an account with nothing on it is told so, until something is paid in', async () => {
  const { ask, email } = await openConsolePerson(service)
  // Their second account: the free credit is on the first.
  const { json: second } = await operate(service, 'POST', '/accounts', { email })
  const standing = async () => (await ask('GET', `/accounts/${second.id}/standing`)).json
  assert.equal((await standing()).blocker, 'balance')
  await credit(service, second.id, 'deposit', '150')
  const { blocker, next_tier: next, windows } = await standing()
  assert.deepEqual([blocker, next, windows.requests.limit], [null, null, 500])
})

test('a person sets their own ceiling, by their name in the audit log, and nothing else', async () => {
  const { own, accountId, personId } = await openConsolePerson(service)
  const set = await own('PATCH', '', { daily_ceiling_eur: '2.5' })
  assert.deepEqual([set.status, set.json.daily_ceiling_eur], [200, '2.50'])
  const { json } = await own('GET', '/standing')
  assert.deepEqual([json.ceiling.eur, json.ceiling.left_eur], ['2.50', '2.50'])
  const [entry] = (await operate(service, 'GET', '/audit?limit=1')).json.data
  assert.deepEqual(
    [entry?.actor, entry?.action, entry?.account_id, entry?.details],
    [personId, 'account.changed', accountId, { daily_ceiling_eur: '2.50' }],
  )
  for (const body of [
    {},
    { suspended: false },
    { daily_ceiling_eur: '1.00', min_tier: 3 },
    { daily_ceiling_eur: '-1' },
    { daily_ceiling_eur: '9000001' },
    { daily_ceiling_eur: 1 },
  ]) {
    assertRefused(await own('PATCH', '', body), 'invalid_request')
  }
  assert.equal((await own('PATCH', '', { daily_ceiling_eur: null })).json.daily_ceiling_eur, null)
})

test('a person chooses when they are told, as the operator sees it', async () => {
  const { own, accountId, personId } = await openConsolePerson(service)
  const path = `/accounts/${accountId}/alerts`
  assert.deepEqual((await own('GET', '/alerts')).json, (await operate(service, 'GET', path)).json)
  const chosen = { low_balance_eur: '7.50', ceiling: false }
  assert.deepEqual((await own('PUT', '/alerts', chosen)).json, chosen)
  assert.deepEqual((await operate(service, 'GET', path)).json, chosen)
  const [entry] = (await operate(service, 'GET', '/audit?limit=1')).json.data
  assert.deepEqual([entry?.actor, entry?.action], [personId, 'alerts.changed'])
})

test('models are listed with their prices, and whether they are switched on', async () => {
  const { ask, own } = await openConsolePerson(service)
  const { json: key } = await own('POST', '/keys', { name: 'one' })
  await operate(service, 'PATCH', '/models/nova', { enabled: false })
  const { data } = (await ask('GET', '/models')).json
  await operate(service, 'PATCH', '/models/nova', { enabled: true })
  assert.deepEqual(
    data.map(({ brand, enabled, tools }) => [brand, enabled, tools]),
    [
      ['air', true, false],
      ['prime', true, true],
      ['nova', false, true],
    ],
  )
  const response = await fetch(`${service.origin}/v1/models`, {
    headers: { authorization: `Bearer ${key.key}` },
  })
  const listed = (await response.json()) as { data: Record<string, unknown>[] }
  for (const [place, { object: _object, owned_by: _owner, ...model }] of listed.data.entries()) {
    const { brand: _brand, enabled: _enabled, tools: _tools, ...shown } = data[place] ?? {}
    assert.deepEqual(shown, model)
  }
})
