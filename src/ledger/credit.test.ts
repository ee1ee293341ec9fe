import assert from 'node:assert/strict'
import { MAX_BALANCE, nano } from '#platform/money.ts'
import { makeCharge, openLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'

test('a deposit counts as deposit and balance, a grant as balance alone', async (t, engine) => {
  const { open, credit, fundsOf } = await openLedger(t, engine)
  await open('a')
  const booked = await credit('a', 500, { kind: 'deposit', reference: 'one' })
  await credit('a', 70, { kind: 'grant', reference: 'two' })
  assert.equal(booked.kind, 'booked')
  const { balance, deposits, spent, spentDay, version } = await fundsOf('a')
  assert.deepEqual([balance, deposits, spent, spentDay, version], [570, 500, 0, '', 3])
})

test('a credit is booked once for each reference, however often it is sent', async (t, engine) => {
  const { open, credit, clock, fundsOf, ledger } = await openLedger(t, engine)
  await open('a')
  const bookedAtMs = clock.nowMs()
  await credit('a', 500, { reference: 'one' })
  clock.advance(5_000)
  const repeats = await Promise.all([
    credit('a', 500, { reference: 'one' }),
    credit('a', 500, { reference: 'one' }),
  ])
  for (const repeat of repeats) {
    assert.ok(repeat.kind === 'repeated')
    assert.equal(repeat.credit.atMs, bookedAtMs)
  }
  assert.deepEqual([(await fundsOf('a')).balance, (await fundsOf('a')).version], [500, 2])
  assert.equal((await ledger.verify()).transfers, 1)
})

test("another credit with a reference that is taken is a conflict, on another's account too", async (t, engine) => {
  const { open, credit, fundsOf } = await openLedger(t, engine)
  await open('a')
  await open('b')
  await credit('a', 500, { reference: 'one' })
  const conflicts = [
    await credit('a', 501, { reference: 'one' }),
    await credit('a', 500, { reference: 'one', kind: 'grant' }),
    await credit('b', 500, { reference: 'one' }),
  ]
  for (const conflict of conflicts) assert.deepEqual(conflict, { kind: 'conflict' })
  assert.equal((await fundsOf('a')).balance, 500)
  assert.equal((await fundsOf('b')).balance, 0)
})

test('a balance can be as large as can be counted exactly, and no larger', async (t, engine) => {
  const { open, credit, fundsOf, ledger, charge } = await openLedger(t, engine)
  await open('a', MAX_BALANCE - 10)
  const tooMuch = { kind: 'grant', reference: 'too much' } as const
  assert.deepEqual(await credit('a', 11, tooMuch), { kind: 'too_much' })
  assert.equal((await credit('a', 10, { reference: 'enough' })).kind, 'booked')
  assert.equal((await fundsOf('a')).balance, MAX_BALANCE)
  // What was refused has not taken its reference.
  await charge(makeCharge('a', 'req_1', { cost: nano(11) }))
  assert.equal((await credit('a', 11, tooMuch)).kind, 'booked')
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('deposits go on adding up past the largest balance, and the books can still be read', async (t, engine) => {
  const { open, credit, fundsOf, ledger, charge } = await openLedger(t, engine)
  await open('a', MAX_BALANCE)
  await charge(makeCharge('a', 'req_1', { cost: MAX_BALANCE }))
  const crediting = await credit('a', MAX_BALANCE, { reference: 'again' })
  assert.ok(['booked', 'too_much'].includes(crediting.kind))
  const { balance, deposits } = await fundsOf('a')
  assert.ok(Number.isSafeInteger(balance) && Number.isSafeInteger(deposits))
  await ledger.verify()
})

test('a credit whose transaction fails is not booked', async (t, engine) => {
  const { open, store, ledger, credit, fundsOf } = await openLedger(t, engine)
  await open('a')
  const failing = store.db.transaction().execute(async (tx) => {
    const amount = nano(500)
    await ledger.credit(tx, { accountId: 'a', kind: 'grant', amount, reference: 'one', atMs: 1 })
    throw new Error('the audit failed')
  })
  await assert.rejects(failing, /the audit failed/)
  assert.equal((await fundsOf('a')).balance, 0)
  assert.equal((await credit('a', 500, { reference: 'one' })).kind, 'booked')
})

test('an account that is not there has no funds, and no account has none', async (t, engine) => {
  const { ledger } = await openLedger(t, engine)
  assert.equal((await ledger.funds(['nobody'])).size, 0)
  assert.equal((await ledger.funds([])).size, 0)
})
