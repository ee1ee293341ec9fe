import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { parseEuros } from '#platform/money.ts'
import type { ChildService } from '../support/child-service.ts'
import {
  ask,
  eventually,
  startFleet,
  verifyBooks,
  viewAccount,
  type Answer,
  type Fleet,
} from './fleet.ts'

/** Rates of `air`, in nano-euros a token. */
const [INPUT, OUTPUT] = [260, 3_100]

const promises: Readonly<Record<string, (fleet: Fleet) => Promise<void>>> = {
  'of many requests at once everywhere, only those go on that the balance can pay': balanceIsExact,
  'the tier’s requests a minute are counted together': requestsAreCountedTogether,
  'a ceiling is passed by the one request that reaches it, wherever it comes': ceilingIsPassedOnce,
  'a key that one replica revokes is unknown to every other at once': revocationHoldsEverywhere,
  'what one replica credits, suspends or switches off holds for the others': changesHoldEverywhere,
  'the books verify on every replica': booksVerify,
}

for (const size of [2, 4]) {
  suite(`${size} replicas on one database`, () => {
    let fleet: Fleet
    before(async () => {
      fleet = await startFleet(size)
    })
    after(() => fleet.close())
    for (const [promise, check] of Object.entries(promises)) test(promise, () => check(fleet))
  })
}

async function balanceIsExact(fleet: Fleet): Promise<void> {
  const { accountId, key } = await openAccount(fleet, { depositEur: '0.0100' })
  const release = Promise.withResolvers<void>()
  fleet.upstream.play({
    content: 'ok',
    usage: { promptTokens: 10, completionTokens: 90 },
    pauses: [{ at: 'before-head', until: release.promise }],
  })
  const [any] = fleet.replicas
  const before_ = parse((await viewAccount(any, accountId)).balance_eur)
  const sent = fleet.upstream.requests.length
  const asked = Array.from({ length: 120 }, () => ask(fleet.next(), key, { max_tokens: 4_000 }))
  const refused = Promise.all(asked.map((answer) => answer.then(({ status }) => status === 402)))
  const view = await untilSettled(fleet, any, accountId, sent, asked)
  const admitted = fleet.upstream.requests.length - sent
  const held = parse(view.held_eur)
  const worst = held / admitted
  assert.ok(Number.isInteger(worst), `${held} held by ${admitted}`)
  assert.ok(held <= before_, 'more is held than the account has')
  assert.ok(before_ - held < worst, 'one more could have been paid')
  release.resolve()
  assert.equal((await refused).filter(Boolean).length, 120 - admitted)
  const answers = await Promise.all(asked)
  await checkCharges(any, accountId, before_, answers)
}

async function requestsAreCountedTogether(fleet: Fleet): Promise<void> {
  const { key } = await openAccount(fleet, {})
  fleet.upstream.play({ content: 'ok' })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => ask(fleet.next(), key, { max_tokens: 10 })),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), ...Array<number>(30).fill(429)])
}

async function ceilingIsPassedOnce(fleet: Fleet): Promise<void> {
  const { accountId, key } = await openAccount(fleet, { depositEur: '5.00' })
  const [any] = fleet.replicas
  // Holds count as spent until they are settled: of those at once, some may be refused too soon.
  await any.operate('PATCH', `/accounts/${accountId}`, { daily_ceiling_eur: '0.0010' })
  fleet.upstream.play({ content: 'ok', usage: { promptTokens: 0, completionTokens: 90 } })
  for (;;) {
    const answers = await Promise.all(
      Array.from({ length: fleet.replicas.length }, () => ask(fleet.next(), key)),
    )
    if (answers.every(({ code }) => code === 'daily_spend_limit_reached')) break
    assert.ok(answers.every(({ status }) => status === 200 || status === 429))
  }
  const spent = parse((await viewAccount(any, accountId)).spent_today_eur)
  assert.ok(spent >= 1_000_000, 'the ceiling was not reached')
  assert.ok(spent < 1_000_000 + 90 * OUTPUT, `${spent} is more than one request too many`)
}

async function revocationHoldsEverywhere(fleet: Fleet): Promise<void> {
  const { accountId, key } = await openAccount(fleet, { depositEur: '1.00' })
  fleet.upstream.play({ content: 'ok' })
  for (const replica of fleet.replicas) assert.equal((await ask(replica, key)).status, 200)
  const [first] = fleet.replicas
  const { data } = await first.operate<{ data: { id: string }[] }>(
    'GET',
    `/accounts/${accountId}/keys`,
  )
  await first.operate('DELETE', `/accounts/${accountId}/keys/${data[0]?.id}`)
  const codes = await Promise.all(
    fleet.replicas.map(async (replica) => (await ask(replica, key)).code),
  )
  assert.deepEqual(codes, Array(fleet.replicas.length).fill('invalid_api_key'))
  for (const { origin } of fleet.replicas) {
    const response = await fetch(`${origin}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(response.status, 401)
  }
}

async function changesHoldEverywhere(fleet: Fleet): Promise<void> {
  const { accountId, key } = await openAccount(fleet, {})
  fleet.upstream.play({ content: 'ok' })
  const [first] = fleet.replicas
  const last = fleet.replicas.at(-1) as ChildService
  const credit = { kind: 'grant', amount_eur: '100.00', reference: `gift ${accountId}` }
  // The same credit everywhere at once is one credit.
  await Promise.all(
    fleet.replicas.map((one) => one.operate('POST', `/accounts/${accountId}/credits`, credit)),
  )
  assert.equal(parse((await viewAccount(last, accountId)).balance_eur), 101_000_000_000)
  await first.operate('PATCH', `/accounts/${accountId}`, { suspended: true })
  assert.equal((await ask(last, key)).code, 'invalid_api_key')
  await first.operate('PATCH', `/accounts/${accountId}`, { suspended: false })
  await first.operate('PATCH', '/models/air', { enabled: false })
  await eventually(
    3_000,
    () => ask(last, key),
    ({ status }) => status === 503,
  )
  await first.operate('PATCH', '/models/air', { enabled: true })
  await eventually(
    3_000,
    () => ask(last, key),
    ({ status }) => status === 200,
  )
}

async function booksVerify(fleet: Fleet): Promise<void> {
  for (const replica of fleet.replicas) await verifyBooks(replica)
}

let accounts = 0

/** An account of tier 3 where it has a deposit, else of tier 1 with its free credit. */
async function openAccount(fleet: Fleet, { depositEur }: { readonly depositEur?: string }) {
  accounts += 1
  const email = `account-${accounts}@example.com`
  const { id } = await fleet.next().operate<{ id: string }>('POST', '/accounts', { email })
  if (depositEur !== undefined) {
    const credit = { kind: 'deposit', amount_eur: depositEur, reference: `deposit of ${email}` }
    await fleet.next().operate('POST', `/accounts/${id}/credits`, credit)
    await fleet.next().operate('PATCH', `/accounts/${id}`, { min_tier: 3 })
  }
  const { key } = await fleet
    .next()
    .operate<{ key: string }>('POST', `/accounts/${id}/keys`, { name: 'key' })
  return { accountId: id, key }
}

/** Waits until each request has either reached the upstream or been answered. */
async function untilSettled(
  fleet: Fleet,
  replica: ChildService,
  accountId: string,
  sentBefore: number,
  asked: readonly Promise<Answer>[],
) {
  let answered = 0
  for (const answer of asked) void answer.then(() => (answered += 1))
  await eventually(
    20_000,
    async () => answered + fleet.upstream.requests.length - sentBefore,
    (count) => count === asked.length,
  )
  return viewAccount(replica, accountId)
}

async function checkCharges(
  replica: ChildService,
  accountId: string,
  balanceBefore: number,
  answers: readonly Answer[],
): Promise<void> {
  const cost = answers.reduce(
    (sum, { usage }) =>
      usage ? sum + usage.prompt_tokens * INPUT + usage.completion_tokens * OUTPUT : sum,
    0,
  )
  const view = await viewAccount(replica, accountId)
  assert.equal(parse(view.held_eur), 0)
  assert.equal(balanceBefore - parse(view.balance_eur), cost)
}

function parse(euros: string): number {
  const amount = parseEuros(euros)
  assert.ok(amount !== undefined, euros)
  return amount
}
