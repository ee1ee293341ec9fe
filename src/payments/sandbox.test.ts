import assert from 'node:assert/strict'
import { formatEuros, nano, NANO_PER_EURO } from '#platform/money.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { openSandbox } from '../../test/support/open-payments.ts'
import { ProviderFailed } from './provider.ts'
import { SANDBOX_ACTS, type SandboxAct } from './sandbox-act.ts'

type Opened = Awaited<ReturnType<typeof openSandbox>>

async function read({ ledger, payments, accountId }: Opened, topupId: string) {
  const funds = (await ledger.funds([accountId])).get(accountId)
  const topup = await payments.find(topupId)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
  return {
    balance: formatEuros(funds?.balance ?? 0n),
    state: topup?.state,
    refunded: formatEuros(topup?.refunded_nano ?? 0n),
    dispute: topup?.dispute,
  }
}

/** What was played, and then all that can be played, and nothing else. */
const WAYS: readonly (readonly [played: readonly SandboxAct[], then: readonly SandboxAct[]])[] = [
  [[], ['pay', 'pay_later', 'decline', 'expire']],
  [['decline'], ['pay', 'pay_later', 'decline', 'expire']],
  [['expire'], []],
  [['pay'], ['refund_half', 'refund', 'dispute']],
  [['pay_later'], ['arrive', 'fail']],
  [['pay_later', 'fail'], []],
  [
    ['pay_later', 'arrive'],
    ['refund_half', 'refund', 'dispute'],
  ],
  [
    ['pay', 'refund_half'],
    ['refund_half', 'refund', 'dispute'],
  ],
  [['pay', 'refund_half', 'refund'], []],
  [['pay', 'refund'], []],
  [
    ['pay', 'dispute'],
    ['dispute_won', 'dispute_lost'],
  ],
  [['pay', 'dispute', 'dispute_lost'], []],
  [
    ['pay', 'dispute', 'dispute_won'],
    ['refund_half', 'refund'],
  ],
]

test('at each point that can be played which can become of a payment of Stripe, and nothing else', async (t, engine) => {
  const opened = await openSandbox(t, engine)
  const { sandbox } = opened
  for (const [played, then] of WAYS) {
    const { sessionId, topupId } = await opened.openTopup()
    for (const act of played) assert.equal(await sandbox.play(sessionId, act), 'played')
    assert.deepEqual((await sandbox.find(sessionId))?.acts, then, played.join())
    const before = await read(opened, topupId)
    for (const act of SANDBOX_ACTS.filter((one) => !then.includes(one))) {
      assert.equal(await sandbox.play(sessionId, act), 'impossible', `${played.join()}, ${act}`)
    }
    assert.deepEqual(await read(opened, topupId), before)
  }
  for (const nothing of ['cs_test_nothing', '', '\0']) {
    assert.equal(await sandbox.play(nothing, 'pay'), 'impossible')
    assert.equal(await sandbox.find(nothing), undefined)
  }
})

test('the books follow what is played; a bank disputes what was not given back', async (t, engine) => {
  const opened = await openSandbox(t, engine)
  const { sessionId, topupId } = await opened.openTopup()
  const seen: unknown[] = []
  for (const act of ['pay', 'refund_half', 'dispute', 'dispute_won', 'refund'] as const) {
    await opened.sandbox.play(sessionId, act)
    seen.push(Object.values(await read(opened, topupId)))
  }
  assert.deepEqual(seen, [
    ['21.00', 'paid', '0.00', null],
    ['11.00', 'paid', '10.00', null],
    ['1.00', 'paid', '10.00', 'open'],
    ['11.00', 'paid', '10.00', 'won'],
    ['1.00', 'paid', '20.00', 'won'],
  ])
})

test('of two clicks at once on what was seen, one is played', async (t, engine) => {
  const opened = await openSandbox(t, engine)
  const { sandbox } = opened
  const { sessionId, topupId } = await opened.openTopup()
  for (const act of ['pay', 'refund_half'] as const) {
    const seen = (await sandbox.find(sessionId))?.standing
    await Promise.all([1, 2, 3, 4].map(() => sandbox.play(sessionId, act, seen)))
  }
  const { balance, refunded } = await read(opened, topupId)
  assert.deepEqual([balance, refunded], ['11.00', '10.00'])
  assert.equal(await sandbox.play(sessionId, 'refund', 'paid-0-undisputed'), 'impossible')
  const refunds = [1, 2, 3].map(() => sandbox.play(sessionId, 'refund'))
  await Promise.all(refunds)
  assert.equal((await read(opened, topupId)).balance, '1.00')
})

test('what could not be told is told when it is played again, once', async (t, engine) => {
  const opened = await openSandbox(t, engine)
  const { sandbox, line } = opened
  const { sessionId, topupId } = await opened.openTopup()
  for (const [act, balance] of [
    ['pay', '21.00'],
    ['refund_half', '11.00'],
  ] as const) {
    const before = await read(opened, topupId)
    line.isCut = true
    await assert.rejects(sandbox.play(sessionId, act), /cut/)
    assert.deepEqual(await read(opened, topupId), before)
    const { acts, isAllTold } = (await sandbox.find(sessionId)) ?? {}
    assert.deepEqual([acts, isAllTold], [[act], false])
    line.isCut = false
    assert.equal(await sandbox.play(sessionId, act), 'played')
    assert.equal((await read(opened, topupId)).balance, balance)
    assert.equal((await sandbox.find(sessionId))?.isAllTold, true)
  }
  assert.equal(line.delivered, 2)
  assert.deepEqual(await opened.payments.reconcile(0), [])
})

test('a refund is given once for each reference, and never more than is left', async (t, engine) => {
  const opened = await openSandbox(t, engine)
  const { sandbox, line } = opened
  const [one, other] = [await opened.openTopup(), await opened.openTopup()]
  const refund = (topupId: string, euros: number, reference: string) =>
    sandbox.refund({
      topupId,
      paymentId: `pi_test_${topupId}`,
      amount: nano(euros * NANO_PER_EURO),
      reference,
    })
  await assert.rejects(refund(one.topupId, 5, 'early'), ProviderFailed)
  for (const { sessionId } of [one, other]) await sandbox.play(sessionId, 'pay')
  line.isCut = true
  await assert.rejects(refund(one.topupId, 5, 'a'), /cut/)
  line.isCut = false
  await Promise.all([1, 2, 3].map(() => refund(one.topupId, 5, 'a')))
  assert.equal((await read(opened, one.topupId)).refunded, '5.00')
  await assert.rejects(refund(one.topupId, 16, 'b'), ProviderFailed)
  await assert.rejects(refund(other.topupId, 5, 'a'), ProviderFailed)
  await assert.rejects(refund('nothing', 5, 'c'), ProviderFailed)
  await sandbox.play(one.sessionId, 'dispute')
  await assert.rejects(refund(one.topupId, 1, 'd'), ProviderFailed)
  assert.equal((await read(opened, one.topupId)).refunded, '5.00')
})

test('an owner opens twenty checkouts in an hour, and no more', async (t, engine) => {
  const { payments, accounts, accountId, clock } = await openSandbox(t, engine)
  const input = { accountId, euros: 10, email: 'ada@example.com', returnUrl: 'http://x' } as const
  clock.advance(600_000)
  for (let count = 0; count < 20; count += 1) assert.ok('url' in (await payments.openOwn(input)))
  clock.advance(60_000)
  assert.deepEqual(await payments.openOwn(input), { retryAfterS: 3_540 })
  assert.ok('url' in (await payments.open(input)), 'the operator does')
  clock.advance(3_540_000)
  assert.ok('url' in (await payments.openOwn(input)))

  const another = { ...input, accountId: (await accounts.create(ADA, 'test')).id }
  const all = await Promise.all(Array.from({ length: 60 }, () => payments.openOwn(another)))
  const opened = all.filter((one) => 'url' in one).length
  const spare = engine === 'postgres' ? 4 : 0
  assert.ok(opened >= 20 && opened <= 20 + spare, `${opened} at once`)
})

const ADA = { email: 'ada@example.com', name: 'Ada' }
