import assert from 'node:assert/strict'
import { formatEuros } from '#platform/money.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import {
  createObjects,
  insertTopup,
  openPayments,
  send,
  signEvent,
  type OpenPayments,
} from '../../test/support/open-payments.ts'
import { createPayments } from './payments.ts'
import { UnverifiedEvent } from './provider.ts'

async function openTopup(opened: OpenPayments, euros = 20) {
  const account = await opened.accounts.create({ email: 'ada@example.com', name: 'Ada' }, 'test')
  const topupId = await insertTopup(opened, account.id, euros)
  return { accountId: account.id, topupId, events: createObjects(topupId, euros) }
}

async function read(
  { ledger, accounts, payments }: OpenPayments,
  accountId: string,
  topupId: string,
) {
  const funds = (await ledger.funds([accountId])).get(accountId)
  const { suspended } = (await accounts.find(accountId)) ?? {}
  const topup = await payments.find(topupId)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
  return {
    balance: formatEuros(funds?.balance ?? 0n),
    deposits: formatEuros(funds?.deposits ?? 0n),
    suspended,
    state: topup?.state,
  }
}

test('a paid checkout is credited once, however often it is told', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  const one = { ...events.paid, id: 'evt_1' }
  await Promise.all([1, 2, 3, 4].map(() => send(opened.payments, one)))
  await Promise.all(['evt_2', 'evt_3'].map((id) => send(opened.payments, { ...events.paid, id })))
  const paid = { balance: '21.00', deposits: '20.00', suspended: false, state: 'paid' }
  assert.deepEqual(await read(opened, accountId, topupId), paid)
  assert.ok(opened.changed.includes(accountId))
  const issued = await opened.payments.documents(topupId)
  assert.deepEqual(
    issued.map(({ kind, buyer }) => [kind, buyer]),
    [['receipt', 'Ada, ada@example.com']],
  )
})

test('money that is under way is credited when it arrives, and not before', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  await send(opened.payments, events.unpaid)
  const before = await read(opened, accountId, topupId)
  assert.deepEqual([before.balance, before.state], ['1.00', 'pending'])
  await send(opened.payments, events.arrived)
  const after = await read(opened, accountId, topupId)
  assert.deepEqual([after.balance, after.state], ['21.00', 'paid'])
})

test('what failed or expired is not credited', async (t, engine) => {
  const opened = await openPayments(t, engine)
  for (const end of ['failed', 'expired'] as const) {
    const { accountId, topupId, events } = await openTopup(opened)
    await send(opened.payments, events.unpaid)
    await send(opened.payments, events[end])
    const { balance, state } = await read(opened, accountId, topupId)
    assert.deepEqual([balance.startsWith('2'), state], [false, end])
  }
})

test('another amount or currency than was asked for is never credited', async (t, engine) => {
  const opened = await openPayments(t, engine)
  for (const changes of [{ amount_total: 1_999 }, { amount_total: 1 }, { currency: 'usd' }]) {
    const { accountId, topupId, events } = await openTopup(opened)
    await send(opened.payments, events.paidOtherwise(changes))
    const { deposits, state } = await read(opened, accountId, topupId)
    assert.deepEqual([deposits, state], ['0.00', 'mismatched'])
  }
})

test('refunds are told as sums: each takes back what is new of it, with a credit note', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  await send(opened.payments, events.paid)
  for (const cents of [500, 500, 1_200, 700]) await send(opened.payments, events.refunded(cents))
  const { balance, deposits } = await read(opened, accountId, topupId)
  assert.deepEqual([balance, deposits], ['9.00', '8.00'])
  const issued = await opened.payments.documents(topupId)
  assert.deepEqual(
    issued.map(({ number, amount, net, tax, corrects }) => [
      number.slice(0, 1),
      ...[amount, net, tax].map(formatEuros),
      corrects === issued[0]?.number,
    ]),
    [
      ['R', '20.00', '16.26', '3.74', false],
      ['C', '5.00', '4.07', '0.93', true],
      ['C', '7.00', '5.69', '1.31', true],
    ],
  )
})

test('the tax of all refunds is the tax of the receipt, in however many parts, whatever the rate is by then', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { topupId, events } = await openTopup(opened)
  await send(opened.payments, events.paid)
  const seller = { ...opened.options.seller, name: 'Moved', vatRate: 6 }
  const later = createPayments({ ...opened.options, seller })
  for (let cents = 500; cents <= 2_000; cents += 500) await send(later, events.refunded(cents))
  const [receipt, ...notes] = await later.documents(topupId)
  const sum = (field: 'amount' | 'net' | 'tax') =>
    notes.reduce((total, note) => total + note[field], 0)
  assert.equal(notes.length, 4)
  assert.deepEqual(
    [sum('amount'), sum('net'), sum('tax')],
    [receipt?.amount, receipt?.net, receipt?.tax],
  )
  assert.deepEqual(
    notes.map(({ seller: { name, vatRate } }) => [name, vatRate]),
    Array.from({ length: 4 }, () => ['Moved', 23]),
  )
  for (const { number } of notes) {
    assert.equal((await later.findDocument(number))?.topupId, topupId)
  }
  for (const number of ['C-1999-000001', '', '\0']) {
    assert.equal(await later.findDocument(number), undefined)
  }
})

test('a dispute takes the money and suspends; won, all is as it was', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  await send(opened.payments, events.paid)
  await send(opened.payments, events.disputed)
  const frozen = await read(opened, accountId, topupId)
  assert.deepEqual([frozen.balance, frozen.suspended], ['1.00', true])
  await send(opened.payments, events.disputeWon)
  const won = await read(opened, accountId, topupId)
  assert.deepEqual([won.balance, won.suspended], ['21.00', false])
})

test('a dispute that is lost stays suspended until the operator says otherwise', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  await send(opened.payments, events.paid)
  await send(opened.payments, events.disputed)
  await send(opened.payments, events.disputeLost)
  const lost = await read(opened, accountId, topupId)
  assert.deepEqual([lost.balance, lost.suspended], ['1.00', true])
  await opened.accounts.update(accountId, { suspended: false }, 'operator')
  await send(opened.payments, events.disputeLost)
  assert.equal((await read(opened, accountId, topupId)).suspended, false)
})

test('an account that the operator suspended is not freed by a dispute that is won', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  await send(opened.payments, events.paid)
  await opened.accounts.update(accountId, { suspended: true }, 'operator')
  await send(opened.payments, events.disputed)
  await send(opened.payments, events.disputeWon)
  assert.equal((await read(opened, accountId, topupId)).suspended, true)
})

test('what is forged, replayed late or signed with another secret is refused and changes nothing', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const { accountId, topupId, events } = await openTopup(opened)
  const { body, signature } = signEvent(events.paid)
  const nowS = Math.floor(Date.now() / 1_000)
  const forged = [
    [body, undefined],
    [body, ''],
    [body, 't=1,v1=00'],
    [Buffer.concat([body, Buffer.from(' ')]), signature],
    [body, signEvent(events.paid, { secret: 'whsec_another' }).signature],
    [body, signEvent(events.paid, { timestamp: nowS - 400 }).signature],
    [Buffer.alloc(0), signature],
  ] as const
  for (const [sent, given] of forged) {
    await assert.rejects(opened.payments.receive(sent, given), UnverifiedEvent)
  }
  const { deposits, state } = await read(opened, accountId, topupId)
  assert.deepEqual([deposits, state], ['0.00', 'open'])
})
