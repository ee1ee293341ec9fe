import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import {
  chat,
  credit,
  hello,
  openAccount,
  openAccountWith,
  operate,
  type Answer,
  type OpenedAccount,
} from '../support/call.ts'
import { readRateLimits } from '../support/read-rate-limits.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service, upstream } = await serveWithUpstream({ after })
const { clock } = service
const small = { ...hello, max_tokens: 100 }
const word = { messages: [{ role: 'user', content: 'x' }], max_tokens: 1 }

/** What a request costs that used this much of nova, in nano-euros. */
const NOVA = { input: 3_200, output: 9_500 }

async function accountOf({ accountId }: OpenedAccount) {
  return (await operate(service, 'GET', `/accounts/${accountId}`)).json
}

async function change({ accountId }: OpenedAccount, changes: object): Promise<void> {
  const { status } = await operate(service, 'PATCH', `/accounts/${accountId}`, changes)
  assert.equal(status, 200)
}

/** The next request takes the provider so many tokens of input. */
async function spend(account: OpenedAccount, promptTokens: number): Promise<void> {
  upstream.play({ usage: { promptTokens, completionTokens: 0 } })
  assert.equal((await chat(service, account.key, 'nova', word)).status, 200)
  upstream.play({})
}

async function assertTier(account: OpenedAccount, tier: number): Promise<void> {
  assert.equal((await accountOf(account)).tier, tier)
  const { limit } = readRateLimits(await chat(service, account.key, 'zoom', {}))
  assert.equal(limit, [0, 10, 100, 500][tier])
}

async function assertBooksAddUp(): Promise<void> {
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([json.ok, json.discrepancies], [true, []])
}

const worths = [
  ['9.999999999', 1],
  ['10', 2],
  ['10.000000001', 2],
  ['99.999999999', 2],
  ['100', 2],
  ['100.000000001', 3],
] as const

for (const [worth, tier] of worths) {
  test(`a balance of ${worth} € is tier ${tier}`, async () => {
    await assertTier(await openAccountWith(service, worth), tier)
  })

  test(`deposits of ${worth} € are tier ${tier}, even when they have been spent`, async () => {
    const account = await openAccountWith(service)
    await credit(service, account.accountId, 'deposit', worth)
    await spend(account, 200_000)
    assert.equal(
      (await accountOf(account)).deposits_eur,
      worth.includes('.') ? worth : `${worth}.00`,
    )
    await assertTier(account, tier)
  })
}

test('a gift counts only while it is there: once spent, the tier falls again', async () => {
  const account = await openAccountWith(service, '10.00')
  await assertTier(account, 2)
  await spend(account, 1)
  await assertTier(account, 1)
})

test('the tier rises by itself with the next deposit, and the very next request sees it', async () => {
  const account = await openAccount(service)
  await assertTier(account, 1)
  await credit(service, account.accountId, 'deposit', '9.00')
  await assertTier(account, 2)
  await credit(service, account.accountId, 'deposit', '90.000000001')
  await assertTier(account, 3)
})

test('a minimum tier lifts an account, and never lowers one', async () => {
  const account = await openAccount(service, { min_tier: 2 })
  await assertTier(account, 2)
  await change(account, { min_tier: 3 })
  await assertTier(account, 3)
  await change(account, { min_tier: 1 })
  await assertTier(account, 1)
  const rich = await openAccount(service, { depositEur: '200', min_tier: 2 })
  await assertTier(rich, 3)
})

test('every request counts, those too that are refused, with 429 and otherwise', async () => {
  const { key } = await openAccount(service)
  const long = { messages: [{ role: 'user', content: 'word '.repeat(15_000) }] }
  const bodies = [{}, long, small, { ...small, stream: true }, { messages: 1 }]
  for (let count = 0; count < 10; count += 1) {
    const answer = await chat(service, key, 'air', bodies[count % 5]!)
    assert.equal(readRateLimits(answer).remaining, 9 - count)
  }
  assertRefused(await chat(service, key, 'air', small), 'rate_limit_rpm')
  clock.advance(59_999)
  assertRefused(await chat(service, key, 'air', small), 'rate_limit_rpm')
  clock.advance(1)
  assert.equal((await chat(service, key, 'air', small)).status, 200)
})

test('a 401 counts for nobody', async () => {
  const account = await openAccount(service)
  await change(account, { suspended: true })
  for (let count = 0; count < 12; count += 1) await chat(service, account.key, 'air', small)
  await change(account, { suspended: false })
  assert.equal(readRateLimits(await chat(service, account.key, 'air', small)).remaining, 9)
})

test('a request refused for its tokens spends none', async () => {
  const { key } = await openAccount(service)
  upstream.play({ usage: { promptTokens: 7_000, completionTokens: 0 } })
  const first = readRateLimits(await chat(service, key, 'prime', small))
  assert.equal(first.tokens.left, 3_000)
  for (let count = 0; count < 3; count += 1) {
    const refused = await chat(service, key, 'prime', { ...hello, max_tokens: 4_000 })
    const message = assertRefused(refused, 'rate_limit_tpm')
    assert.match(message, /60 s/)
    assert.equal(readRateLimits(refused).tokens.left, 3_000)
  }
  upstream.play({})
  assert.equal((await chat(service, key, 'prime', { ...hello, max_tokens: 2_900 })).status, 200)
  clock.advance(60_000)
  assert.equal((await chat(service, key, 'prime', { ...hello, max_tokens: 4_000 })).status, 200)
})

test('what could never fit a minute says so and names max_tokens', async () => {
  const { key } = await openAccount(service)
  const input = { messages: [{ role: 'user', content: 'word '.repeat(4_000) }] }
  for (const stream of [false, true]) {
    const answer = await chat(service, key, 'prime', { ...input, stream })
    assert.match(assertRefused(answer, 'rate_limit_tpm'), /max_tokens/)
    assert.equal(readRateLimits(answer).tokens.left, 10_000)
  }
  assert.equal((await chat(service, key, 'prime', { ...input, max_tokens: 100 })).status, 200)
})

test('on the lowest tier a short request without max_tokens fits, on each brand', async () => {
  const { key } = await openAccount(service)
  for (const brand of ['air', 'prime', 'nova']) {
    clock.advance(60_000)
    assert.equal((await chat(service, key, brand, hello)).status, 200)
  }
})

test('only the one request that reaches the ceiling passes it', async () => {
  const account = await openAccount(service, { daily_ceiling_eur: '0.001' })
  await spend(account, 312)
  assert.equal((await accountOf(account)).spent_today_eur, '0.0009984')
  await spend(account, 1_000)
  assert.equal((await accountOf(account)).spent_today_eur, '0.0041984')
  for (const stream of [false, true]) {
    const answer = await chat(service, account.key, 'air', { ...word, stream })
    assertRefused(answer, 'daily_spend_limit_reached')
  }
  await change(account, { daily_ceiling_eur: '0.0041984' })
  assertRefused(await chat(service, account.key, 'air', word), 'daily_spend_limit_reached')
  await change(account, { daily_ceiling_eur: '0.004198401' })
  assert.equal((await chat(service, account.key, 'air', word)).status, 200)
})

test('what is held counts towards the ceiling, so requests side by side do not pass it either', async () => {
  const account = await openAccount(service, { daily_ceiling_eur: '0.01', min_tier: 3 })
  const release = Promise.withResolvers<void>()
  upstream.play({ pauses: [{ at: 'before-head', until: release.promise }] })
  const before = upstream.requests.length
  const holding = chat(service, account.key, 'nova', { ...hello, max_tokens: 2_000 })
  await upstream.request(before)
  const refused = await chat(service, account.key, 'air', word)
  assertRefused(refused, 'daily_spend_limit_reached')
  release.resolve()
  assert.equal((await holding).status, 200)
  upstream.play({})
  assert.equal((await chat(service, account.key, 'air', word)).status, 200)
})

test('a reached ceiling opens again at midnight UTC, and not a millisecond sooner', async () => {
  const account = await openAccount(service, { daily_ceiling_eur: '0.000001' })
  await spend(account, 100)
  const midnightMs = Math.ceil((clock.nowMs() + 1) / 86_400_000) * 86_400_000
  clock.set(midnightMs - 1)
  const answer = await chat(service, account.key, 'air', word)
  assertRefused(answer, 'daily_spend_limit_reached')
  assert.equal(answer.json.error.retry_after, 1)
  clock.set(midnightMs)
  assert.equal((await accountOf(account)).spent_today_eur, '0.00')
  assert.equal((await chat(service, account.key, 'air', word)).status, 200)
  clock.set(midnightMs + 43_200_000)
})

test('a balance is free down to the last nano-euro, and one less is refused', async () => {
  const account = await openAccountWith(service, '0.01')
  const answer = await chat(service, account.key, 'nova', { ...hello, max_tokens: 8_000 })
  const message = assertRefused(answer, 'insufficient_balance')
  const [, cost = ''] = /can cost up to ([\d.]+) €/.exec(message) ?? []
  assert.match(cost, /^0\.07\d+$/)
  const costNano = Math.round(Number(cost) * 1e9)
  const almost = await openAccountWith(service, ((costNano - 1) / 1e9).toFixed(9))
  const short = await chat(service, almost.key, 'nova', { ...hello, max_tokens: 8_000 })
  assertRefused(short, 'insufficient_balance')
  const enough = await openAccountWith(service, cost)
  const served = await chat(service, enough.key, 'nova', { ...hello, max_tokens: 8_000 })
  assert.equal(served.status, 200)
})

test('what is held by one request is not free for another, and comes back when it ends', async () => {
  const account = await openAccountWith(service, '0.12')
  const release = Promise.withResolvers<void>()
  upstream.play({ pauses: [{ at: 'before-head', until: release.promise }], content: 'ok' })
  const before = upstream.requests.length
  const body = { ...hello, max_tokens: 4_000 }
  const holding = [1, 2, 3].map(() => chat(service, account.key, 'nova', body))
  await upstream.request(before + 1)
  const answers = await Promise.race(holding)
  assertRefused(answers, 'rate_limit_tpm')
  const { held_eur: held, balance_eur: balance } = await accountOf(account)
  assert.equal(balance, '0.12')
  assert.match(held, /^0\.07\d+$/)
  const over = await chat(service, account.key, 'nova', { ...hello, max_tokens: 8_000 })
  assert.match(assertRefused(over, 'insufficient_balance'), /held/)
  release.resolve()
  const statuses = (await Promise.all(holding)).map(({ status }) => String(status))
  assert.deepEqual(statuses.toSorted(), ['200', '200', '429'])
  upstream.play({})
  assert.equal((await accountOf(account)).held_eur, '0.00')
})

/** 200 at once on a balance that is enough for a few of them; the provider answers as it is told. */
async function rush(stream: boolean, used: number): Promise<readonly Answer[]> {
  const account = await openAccountWith(service, '1.00')
  await change(account, { min_tier: 3 })
  const release = Promise.withResolvers<void>()
  const usage = { promptTokens: 10, completionTokens: used }
  upstream.play({ pauses: [{ at: 'before-head', until: release.promise }], usage })
  let refused = 0
  const answers = Array.from({ length: 200 }, async () => {
    const answer = await chat(service, account.key, 'nova', { ...hello, stream })
    if (answer.status === 402) refused += 1
    if (refused >= 200 - 12) release.resolve()
    return answer
  })
  const all = await Promise.all(answers)
  upstream.play({})
  const { balance_eur: balance, held_eur: held } = await accountOf(account)
  assert.equal(held, '0.00')
  assert.ok(Number(balance) >= 0, balance)
  const served = all.filter(({ status }) => status === 200).length
  const spentNano = served * (10 * NOVA.input + used * NOVA.output)
  assert.equal(Math.round(Number(balance) * 1e9), 1e9 - spentNano)
  await assertBooksAddUp()
  return all
}

for (const stream of [false, true]) {
  test(`of 200 ${stream ? 'streams' : 'requests'} at once exactly those are served that the balance can pay`, async () => {
    // 8192 tokens of output and a few of input: twelve of them fit into one euro.
    const answers = await rush(stream, 8_192)
    const refused = answers.filter(({ status }) => status === 402)
    assert.equal(refused.length, 200 - 12)
    for (const answer of refused) assertRefused(answer, 'insufficient_balance')
    assert.equal(answers.filter(({ status }) => status === 200).length, 12)
  })
}

test('revoking a key, suspending and freeing its account are seen by the very next request', async () => {
  const account = await openAccount(service, { min_tier: 3 })
  const { json: other } = await operate(service, 'POST', `/accounts/${account.accountId}/keys`, {
    name: 'other',
  })
  const ask = async (key: string) => (await chat(service, key, 'air', word)).status
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await ask(account.key), 200)
    await change(account, { suspended: true })
    assert.deepEqual([await ask(account.key), await ask(other.key)], [401, 401])
    await change(account, { suspended: false })
  }
  assert.deepEqual([await ask(account.key), await ask(other.key)], [200, 200])
  await operate(service, 'DELETE', `/accounts/${account.accountId}/keys/${account.keyId}`)
  assert.deepEqual([await ask(account.key), await ask(other.key)], [401, 200])
})

test('ceiling and balance as they are now are seen by the very next request', async () => {
  const account = await openAccountWith(service)
  const ask = async () => (await chat(service, account.key, 'air', word)).status
  assert.equal(await ask(), 402)
  await credit(service, account.accountId, 'grant', '1.00')
  assert.equal(await ask(), 200)
  await change(account, { daily_ceiling_eur: '0.00' })
  assert.equal(await ask(), 429)
  await change(account, { daily_ceiling_eur: null })
  assert.equal(await ask(), 200)
})

test("limits are the account's: another key buys no more of them", async () => {
  const account = await openAccount(service)
  const path = `/accounts/${account.accountId}/keys`
  for (let count = 0; count < 6; count += 1) await chat(service, account.key, 'air', word)
  await operate(service, 'DELETE', `${path}/${account.keyId}`)
  const { json: next } = await operate(service, 'POST', path, { name: 'next' })
  const answer = readRateLimits(await chat(service, next.key, 'air', word))
  assert.equal(answer.remaining, 3)
  const other = await openAccount(service)
  assert.equal(readRateLimits(await chat(service, other.key, 'air', word)).remaining, 9)
})

test('after all of this the books add up', assertBooksAddUp)
