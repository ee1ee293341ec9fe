import assert from 'node:assert/strict'
import { after } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { PaymentTables } from '../../../src/payments/tables.ts'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { openAccount, operate } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor, type Service } from '../../support/service.ts'

const options = { identity: 'localhost', trustedProxies: ['127.0.0.1'] } as const
const service = await serveFor({ after }, options)

async function openTopup(accountId: string, acts: readonly ('pay' | 'dispute')[]): Promise<string> {
  const path = `/accounts/${accountId}/topups`
  const { json } = await operate(service, 'POST', path, { amount_eur: '20.00' })
  const sessionId = new URL(json.checkout_url).pathname.split('/').at(-1) ?? ''
  for (const act of acts) await service.app.payments?.sandbox?.play(sessionId, act)
  return json.id
}

const readTopup = async (from: Service, id: string) =>
  (await operate(from, 'GET', `/topups/${id}`)).json

testInBrowser(
  'there is nothing yet, then a top-up is refunded, and has its papers',
  {},
  async (page) => {
    await signInOperator(service, page, 'ana@example.com')
    await openScreen(service, page, '/console/operator/payments', 'Payments')
    await page.getByText('There is no top-up yet').waitFor()
    const { accountId } = await openAccount(service)
    const id = await openTopup(accountId, ['pay'])
    const { accountId: otherId } = await openAccount(service)
    await openTopup(otherId, ['pay', 'dispute'])
    await page.reload()
    await page.getByText('2 shown. That is all.').waitFor()
    const disputes = page.getByRole('table').locator('tbody tr').first().locator('td').nth(5)
    assert.equal(await disputes.innerText(), 'Open')
    const search = page.getByRole('searchbox', { name: 'Account id' })
    await search.fill(accountId)
    await search.press('Enter')
    await page.getByText('1 shown. That is all.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('account'), accountId)

    await page.getByRole('button', { name: `Refund (${id})` }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund a top-up of €20.00' })
    await assertAccessible(page, 'a refund')
    const amount = dialog.getByRole('textbox', { name: 'Amount in euros' })
    assert.equal(await amount.inputValue(), '20.00')
    for (const [given, refusal] of [
      ['5.001', 'Give an amount with at most two decimals'],
      ['20.01', 'amount_eur: is more than is left of this top-up'],
    ] as const) {
      await amount.fill(given)
      await amount.press('Enter')
      await dialog.getByText(refusal).waitFor()
    }
    await amount.fill('5.00')
    await dialog.getByRole('textbox', { name: 'Reference' }).fill('ticket-1815')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('The provider was asked to give €5.00 back.').waitFor()
    assert.equal((await readTopup(service, id)).refunded_eur, '5.00')
    await page.getByRole('table').getByText('€5.00').waitFor()

    await page.getByRole('button', { name: `Documents (${id})` }).click()
    await page.getByRole('dialog').getByText('€20.00').waitFor()
    await page.getByRole('link', { name: /^Credit note / }).click()
    await page.getByRole('heading', { level: 1, name: 'Credit note' }).waitFor()
  },
)

testInBrowser('provider and books are compared when it is asked for', {}, async (page) => {
  const { accountId } = await openAccount(service)
  const id = await openTopup(accountId, ['pay'])
  await signInOperator(service, page, 'bia@example.com')
  await openScreen(service, page, '/console/operator/payments', 'Payments')
  const days = page.getByRole('textbox', { name: 'Days back' })
  await days.fill('400')
  await days.press('Enter')
  await page.getByText('Give a number from 1 to 399.').waitFor()
  await days.fill('7')
  await days.press('Enter')
  await page.getByText('Provider and books agree.').waitFor()
  const change = (state: 'open' | 'paid') =>
    withTables<PaymentTables>(service.store.db)
      .updateTable('topup')
      .set({ state })
      .where('id', '=', id)
      .execute()
  await change('open')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('Provider and books differ: 1 found.').waitFor()
  await page.getByText(`its top-up ${id} is open in the books`).waitFor()
  await assertAccessible(page, 'a difference')
  await change('paid')
})

testInBrowser('where nobody takes payments, it says so and what to do', {}, async (page, t) => {
  const other = await serveFor(t, { ...options, payments: { kind: 'off' } })
  await signInOperator(other, page, 'off@example.com')
  await openScreen(other, page, '/console/operator/payments', 'Payments')
  await page.getByText('Nobody takes payments here').waitFor()
  await page.getByText('STRIPE_WEBHOOK_SECRET').waitFor()
  await openScreen(other, page, '/console/operator', 'Operator')
  await page.getByText('credits are booked by hand').waitFor()
  // A page of ours asks for nothing more once it is left; the service is closed below.
  await page.goto('about:blank')
})
