import assert from 'node:assert/strict'
import { withTables } from '#platform/store/index.ts'
import type { AccountsTables } from '../../src/accounts/tables.ts'
import { chat, hello, operate } from '../support/call.ts'
import { testOnEachEngine as test } from '../support/each-engine.ts'
import {
  give,
  mailsTo,
  openReader,
  personsOf,
  serveOn,
  spend,
  subjectsTo,
  type Reader,
} from './alerts-world.ts'

const DAY_MS = 86_400_000

test('who falls below two euros is told once, and again after a rise above them', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId, email } = await openReader(service, { depositEur: '10' })
  await spend(service, accountId, 9)
  assert.deepEqual(await subjectsTo(service, email), [])
  await spend(service, accountId, 0.000_000_001)
  const first = 'Your Parley balance is low: 1.99 €'
  assert.deepEqual(await subjectsTo(service, email), [first])
  await spend(service, accountId, 0.5)
  assert.deepEqual(await subjectsTo(service, email), [first])
  // Not above: nothing has been crossed.
  await give(service, accountId, '0.40')
  await spend(service, accountId, 0.1)
  assert.deepEqual(await subjectsTo(service, email), [first])
  await give(service, accountId, '5.00')
  // Both the rise and the fall lie between two looks.
  await spend(service, accountId, 5)
  assert.deepEqual(await subjectsTo(service, email), [first, 'Your Parley balance is low: 1.79 €'])
})

test('the mail says it in both languages, and to whom it belongs', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId, email } = await openReader(service, { depositEur: '10' })
  await spend(service, accountId, 9.5)
  const [mail] = await mailsTo(service, email)
  assert.match(mail?.text ?? '', /^Hello,\n\nthe balance of .* below 2\.00 €: it is 1\.50 € now\./)
  assert.match(mail?.text ?? '', /\n\nOlá,\n\no saldo .* abaixo de 2,00 €: agora é de 1,50 €\./)
  assert.ok(mail?.text.includes(accountId))
  assert.ok(!service.logged.some((line) => line.includes(email)))
})

test('the free credit alone, or nothing at all, has fallen below nothing', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId, email } = await openReader(service)
  await spend(service, accountId, 0.6)
  await spend(service, accountId, 0.6)
  assert.deepEqual(await subjectsTo(service, email), [])
})

test("a ceiling's levels are told once a day, and the highest of those reached at once", async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const reader = await openReader(service, { depositEur: '50', daily_ceiling_eur: '3.00' })
  const { accountId, email } = reader
  const told = (percent: number): string => `Your Parley daily ceiling: ${percent} % spent`
  const expected: string[] = []
  const spendAndExpect = async (euros: number, ...levels: number[]): Promise<void> => {
    await spend(service, accountId, euros)
    expected.push(...levels.map(told))
    assert.deepEqual(await subjectsTo(service, email), expected)
  }
  await spendAndExpect(1.499_999_999)
  await spendAndExpect(0.000_000_001, 50)
  await spendAndExpect(0.9, 80)
  await spendAndExpect(0.5)
  await spendAndExpect(0.1, 100)
  await spendAndExpect(0.1)
  service.clock.advance(DAY_MS)
  await spendAndExpect(1)
  await spendAndExpect(2, 100)
  // Levels below what has been told are told no more.
  await operate(service, 'PATCH', `/accounts/${accountId}`, { daily_ceiling_eur: '4.00' })
  await spendAndExpect(0.3)
})

test('nobody is told whose address is not confirmed, who is removed or suspended, or chose so', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const options = { depositEur: '10', daily_ceiling_eur: '2.00' }
  const readers: Reader[] = []
  for (let count = 0; count < 4; count += 1) readers.push(await openReader(service, options))
  const [quiet, unconfirmed, removed, suspended] = readers as [Reader, Reader, Reader, Reader]
  const off = { low_balance_eur: null, ceiling: false }
  await operate(service, 'PUT', `/accounts/${quiet.accountId}/alerts`, off)
  for (const { accountId } of readers) await spend(service, accountId, 9.5)
  await operate(service, 'PATCH', `/accounts/${suspended.accountId}`, { suspended: true })
  await withTables<AccountsTables>(service.store.db)
    .updateTable('person')
    .set({ email_verified: 0 })
    .where('id', '=', unconfirmed.personId)
    .execute()
  await personsOf(service).remove(removed.personId, 'test')
  await service.app.alerts.look()
  assert.deepEqual(service.mailer.mails, [])
  // What they were not told then, they are told now that they can be, for it still holds.
  await personsOf(service).confirmAddress(unconfirmed.personId)
  await spend(service, unconfirmed.accountId, 0.1)
  assert.equal((await subjectsTo(service, unconfirmed.email)).length, 2)
})

test('what a chat request costs is looked at as well', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId, email, key } = await openReader(service, { depositEur: '10' })
  const settings = { low_balance_eur: '10.999999999', ceiling: true }
  await operate(service, 'PUT', `/accounts/${accountId}/alerts`, settings)
  assert.deepEqual(await subjectsTo(service, email), [])
  const answers = await Promise.all(
    ['air', 'prime', 'nova'].map((brand) => chat(service, key, brand, hello)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await subjectsTo(service, email), ['Your Parley balance is low: 10.99 €'])
})
