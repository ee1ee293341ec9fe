import assert from 'node:assert/strict'
import { nano } from '#platform/money.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { makeCharge, openLedger } from '../../test/support/open-ledger.ts'
import type { ReversalKind } from './reversal.ts'

type Opened = Awaited<ReturnType<typeof openLedger>>

function reverse({ ledger, store }: Opened, kind: ReversalKind, amount: number, reference: string) {
  const reversal = { accountId: 'a', kind, amount: nano(amount), reference, atMs: 1 }
  return store.db.transaction().execute(async (tx) => {
    await ledger.reverse(tx, reversal)
    return ledger.readBalance(tx, 'a')
  })
}

test('a refund takes balance and deposits back, below zero where it is spent', async (t, engine) => {
  const opened = await openLedger(t, engine)
  const { open, credit, charge, fundsOf, ledger } = opened
  await open('a')
  await credit('a', 500, { kind: 'deposit', reference: 'one' })
  await charge(makeCharge('a', 'req_1', { cost: nano(200) }))
  assert.equal(await reverse(opened, 'refund', 500, 'refund:one'), -200)
  const { balance, deposits } = await fundsOf('a')
  assert.deepEqual([balance, deposits], [-200, 0])
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('a reversal is booked once for each reference, of any number at once', async (t, engine) => {
  const opened = await openLedger(t, engine)
  await opened.open('a')
  await opened.credit('a', 500, { kind: 'deposit', reference: 'one' })
  const balances = await Promise.all(
    Array.from({ length: 8 }, () => reverse(opened, 'refund', 300, 'refund:one')),
  )
  assert.deepEqual(new Set(balances), new Set([200]))
  assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
})

test('a charge costs nothing on a balance below zero, and is written off whole', async (t, engine) => {
  const opened = await openLedger(t, engine)
  await opened.open('a')
  await opened.credit('a', 100, { kind: 'deposit', reference: 'one' })
  await opened.charge(makeCharge('a', 'req_1', { cost: nano(60) }))
  await reverse(opened, 'refund', 100, 'refund:one')
  const { charged, writtenOff } = await opened.charge(makeCharge('a', 'req_2', { cost: nano(7) }))
  assert.deepEqual([charged, writtenOff], [0, 7])
  assert.equal((await opened.fundsOf('a')).balance, -60)
  assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
})

for (const [end, balance] of [
  ['dispute_won', 500],
  ['dispute_lost', 0],
] as const) {
  test(`a dispute takes the money at once; ${end} leaves ${balance}`, async (t, engine) => {
    const opened = await openLedger(t, engine)
    await opened.open('a')
    await opened.credit('a', 500, { kind: 'deposit', reference: 'one' })
    assert.equal(await reverse(opened, 'dispute', 500, 'dispute:one'), 0)
    assert.equal(await reverse(opened, end, 500, `${end}:one`), balance)
    const funds = await opened.fundsOf('a')
    assert.deepEqual([funds.balance, funds.deposits], [balance, balance])
    assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
  })
}
