import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseEuros } from '#platform/money.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate, type OpenedAccount } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service, upstream } = await serveWithUpstream({ after })
const { clock } = service
const HOUR_MS = 3_600_000
const small = { ...hello, max_tokens: 100 }

function change({ accountId, keyId }: OpenedAccount, changes: object) {
  return operate(service, 'PATCH', `/accounts/${accountId}/keys/${keyId}`, changes)
}

function roll({ accountId, keyId }: OpenedAccount, body: object = {}) {
  return operate(service, 'POST', `/accounts/${accountId}/keys/${keyId}/roll`, body)
}

async function keysOf({ accountId }: OpenedAccount) {
  return (await operate(service, 'GET', `/accounts/${accountId}/keys`)).json.data
}

/** All receipts of an account, added up by key, in nano-euros. */
async function addReceipts({ accountId }: OpenedAccount): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const path = `/accounts/${accountId}/receipts?limit=200${query}`
    const { json } = await operate(service, 'GET', path)
    for (const { key_id: keyId, cost_eur: costEur } of json.data) {
      sums.set(keyId, (sums.get(keyId) ?? 0) + Number(parseEuros(costEur)))
    }
    cursor = json.next_cursor
  }
  return sums
}

test('of many calls at once with a key, its receipts never come to more than its ceiling', async () => {
  const account = await openAccount(service, { min_tier: 3, depositEur: '10' })
  const { json: limited } = await operate(service, 'POST', `/accounts/${account.accountId}/keys`, {
    name: 'limited',
    daily_ceiling_eur: '0.01',
  })
  assert.equal(limited.daily_ceiling_eur, '0.01')
  upstream.play({ content: 'ok', usage: { promptTokens: 10, completionTokens: 90 } })
  const refused = { limited: 0, other: 0 }
  for (let round = 0; round < 6; round += 1) {
    const calls = Array.from({ length: 30 }, async () => {
      const [byLimited, byOther] = await Promise.all([
        chat(service, limited.key, 'air', small),
        chat(service, account.key, 'air', small),
      ])
      if (byLimited.status !== 200) {
        assertRefused(byLimited, 'daily_spend_limit_reached')
        refused.limited += 1
      }
      if (byOther.status !== 200) refused.other += 1
    })
    await Promise.all(calls)
    clock.advance(60_000)
  }
  const each = 10 * 260 + 90 * 3_100
  const sums = await addReceipts(account)
  const spent = sums.get(limited.id) ?? 0
  assert.ok(spent <= 10_000_000, `${spent} nano-euros spent`)
  // No more than one request's worst case is left, so the ceiling was in the way and nothing else was.
  assert.ok(spent > 10_000_000 - 2 * each, `only ${spent} nano-euros spent`)
  assert.equal(refused.limited, 180 - spent / each)
  assert.equal(refused.other, 0)
  assert.equal(sums.get(account.keyId), 180 * each)
  const [row] = await keysOf(account)
  assert.equal(parseEuros(row.spent_today_eur), spent)
  const { json: books } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual(books.discrepancies, [])
})

test('whoever meets a key’s ceiling is told so, and waits until midnight UTC', async () => {
  const account = await openAccount(service)
  await change(account, { daily_ceiling_eur: '0.0004' })
  upstream.play({ content: 'ok', usage: { promptTokens: 10, completionTokens: 90 } })
  assert.equal((await chat(service, account.key, 'air', small)).status, 200)
  const answer = await chat(service, account.key, 'air', small)
  const sentence = assertRefused(answer, 'daily_spend_limit_reached')
  assert.match(
    sentence,
    /^This API key's daily ceiling of 0\.0004 € does not allow for this request, which can cost up to 0\.000\d+ €: 0\.0002816 € is spent and 0\.00 € held by its requests under way\. /,
  )
  assert.match(sentence, /Lower max_tokens, or raise the key's ceiling in the console\.$/)
  const untilMidnightS = Math.ceil((86_400_000 - (clock.nowMs() % 86_400_000)) / 1000)
  assert.equal(answer.json.error.retry_after, untilMidnightS)
  const never = await chat(service, account.key, 'nova', { ...hello, max_tokens: 4_000 })
  assert.match(assertRefused(never, 'daily_spend_limit_reached'), /waiting will not help/)
  clock.advance(untilMidnightS * 1000)
  assert.equal((await chat(service, account.key, 'air', small)).status, 200)
})

test('a key that has expired is refused as one that was never made, from that instant on', async () => {
  const account = await openAccount(service)
  const expiresAt = clock.nowMs() + HOUR_MS
  const { status, json } = await change(account, { expires_at: expiresAt })
  assert.deepEqual([status, json.expires_at, json.revoked_at], [200, expiresAt, null])
  clock.set(expiresAt - 1)
  assert.equal((await chat(service, account.key, 'air', small)).status, 200)
  clock.set(expiresAt)
  const expired = await chat(service, account.key, 'air', small)
  const made = await chat(service, `${account.key.slice(0, -1)}x`, 'air', small)
  assertRefused(expired, 'invalid_api_key')
  assert.deepEqual(expired.json, made.json)
  assert.equal((await change(account, { expires_at: null })).json.expires_at, null)
  assert.equal((await chat(service, account.key, 'air', small)).status, 200)
})

test('a key is rolled: the new one works at once, the old one until the overlap is over', async () => {
  const old = await openAccount(service)
  await change(old, { name: 'server', daily_ceiling_eur: '0.50' })
  const { status, json: next } = await roll(old)
  assert.equal(status, 201)
  assert.match(next.key, /^svc_live_/)
  assert.deepEqual([next.name, next.daily_ceiling_eur, next.expires_at], ['server', '0.50', null])
  const endsAt = clock.nowMs() + 24 * HOUR_MS
  const rows = await keysOf(old)
  assert.deepEqual(
    rows.map((row) => [row.id, row.expires_at]),
    [
      [next.id, null],
      [old.keyId, endsAt],
    ],
  )
  for (const key of [old.key, next.key]) {
    assert.equal((await chat(service, key, 'air', small)).status, 200)
  }
  clock.set(endsAt)
  assertRefused(await chat(service, old.key, 'air', small), 'invalid_api_key')
  assert.equal((await chat(service, next.key, 'air', small)).status, 200)
  assertRefused(await roll(old), 'conflict')
})

test('the overlap is from none to seven days, and makes no key live longer', async () => {
  const account = await openAccount(service)
  const expiresAt = clock.nowMs() + HOUR_MS
  await change(account, { expires_at: expiresAt })
  assert.equal((await roll(account, { overlap_s: 604_800 })).status, 201)
  assert.equal((await keysOf(account)).at(-1)?.expires_at, expiresAt)
  const message = assertRefused(await roll(account, { overlap_s: 604_801 }), 'invalid_request')
  assert.match(message, /^overlap_s: /)
  assertRefused(await roll(account, { overlap_s: -1 }), 'invalid_request')
  assert.equal((await roll(account, { overlap_s: 0 })).status, 201)
  assertRefused(await chat(service, account.key, 'air', small), 'invalid_api_key')
})

test('what cannot be changed is told, and what is wrong is named', async () => {
  const account = await openAccount(service)
  const now = clock.nowMs()
  for (const [changes, problem] of [
    [{ expires_at: now }, /^expires_at: must be in the future$/],
    [{ expires_at: 'soon' }, /^expires_at: /],
    [{ expires_at: 253_402_300_800_000 }, /^expires_at: /],
    [{ daily_ceiling_eur: '-1' }, /^daily_ceiling_eur: /],
    [{ daily_ceiling_eur: '9000001' }, /^daily_ceiling_eur: must be at most /],
    [{ name: '' }, /^name: /],
    [{ kind: 'secret' }, /^kind/],
  ] as const) {
    assert.match(assertRefused(await change(account, changes), 'invalid_request'), problem)
    if ('name' in changes) continue
    const body = { name: 'x', ...changes }
    const path = `/accounts/${account.accountId}/keys`
    assertRefused(await operate(service, 'POST', path, body), 'invalid_request')
  }
  const other = await openAccount(service)
  const foreign = { ...account, keyId: other.keyId }
  for (const answer of [await change(foreign, { name: 'mine' }), await roll(foreign)]) {
    assertRefused(answer, 'not_found')
  }
  await operate(service, 'DELETE', `/accounts/${account.accountId}/keys/${account.keyId}`)
  for (const answer of [await change(account, { name: 'again' }), await roll(account)]) {
    assertRefused(answer, 'conflict')
  }
})

test('what is changed of a key is in the audit log, and what is not given stays as it was', async () => {
  const account = await openAccount(service)
  const expiresAt = clock.nowMs() + HOUR_MS
  await change(account, { daily_ceiling_eur: '2', expires_at: expiresAt })
  await change(account, { name: 'renamed' })
  const unchanged = await change(account, {})
  assert.deepEqual(
    [unchanged.json.name, unchanged.json.daily_ceiling_eur, unchanged.json.expires_at],
    ['renamed', '2.00', expiresAt],
  )
  await change(account, { daily_ceiling_eur: null })
  const { json: next } = await roll(account, { overlap_s: 60 })
  const { json } = await operate(service, 'GET', '/audit?limit=5')
  const entries = json.data.map(({ action, actor, details }) => [action, actor, details])
  const key_id = account.keyId
  const ends = clock.nowMs() + 60_000
  assert.deepEqual(entries, [
    ['key.rolled', 'operator', { key_id, new_key_id: next.id, expires_at: ends }],
    [
      'key.created',
      'operator',
      { key_id: next.id, name: 'renamed', expires_at: expiresAt, daily_ceiling_eur: null },
    ],
    ['key.changed', 'operator', { key_id, daily_ceiling_eur: null }],
    ['key.changed', 'operator', { key_id, name: 'renamed' }],
    ['key.changed', 'operator', { key_id, expires_at: expiresAt, daily_ceiling_eur: '2.00' }],
  ])
})
