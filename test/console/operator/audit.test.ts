import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LANGUAGES } from '../../../web/src/words/define-words.ts'
import { auditWords } from '../../../web/src/screens/operator/audit/words.ts'
import type { AuditAction } from '../../../src/accounts/tables.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { openAccount, operate } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })

/** Does not compile where one is missing. */
const ACTIONS: Readonly<Record<AuditAction, true>> = {
  'account.created': true,
  'account.changed': true,
  'alerts.changed': true,
  'credit.booked': true,
  'key.created': true,
  'key.changed': true,
  'key.rolled': true,
  'key.revoked': true,
  'model.switched': true,
  'person.role_changed': true,
  'person.removed': true,
  'member.invited': true,
  'member.joined': true,
  'member.role_changed': true,
  'member.removed': true,
  'member.left': true,
  'invitation.withdrawn': true,
  'topup.paid': true,
  'topup.reversed': true,
  'topup.refund_asked': true,
  'person.signed_out': true,
  'person.exported': true,
  'person.two_factor_reset': true,
  'session.begun': true,
  'session.ended': true,
  'session.others_ended': true,
  'password.changed': true,
  'password.reset': true,
  'email.change_asked': true,
  'email.changed': true,
  'two_factor.on': true,
  'two_factor.off': true,
  'two_factor.codes_made': true,
  'passkey.added': true,
  'passkey.removed': true,
  'app.connected': true,
  'app.revoked': true,
  'sign_in_link.made': true,
  'sign_in_link.used': true,
  'client.created': true,
  'client.changed': true,
  'client.secret_rotated': true,
  'client.deleted': true,
  'signing_key.made': true,
  'signing_key.dropped': true,
}

test('whatever the audit log may hold has words in every language', () => {
  for (const language of LANGUAGES) {
    const worded = Object.keys(auditWords[language].actions)
    assert.deepEqual(worded.toSorted(), Object.keys(ACTIONS).toSorted(), language)
  }
})

testInBrowser('who did what is told in words, with its account and details', {}, async (page) => {
  const { accountId } = await openAccount(service)
  await signInOperator(service, page, 'ana@example.com')
  await openScreen(service, page, `/console/operator/accounts/${accountId}`, 'Account')
  await page.getByRole('textbox', { name: 'Amount in euros' }).fill('3.00')
  await page.getByRole('textbox', { name: 'Reference' }).fill('invoice-1815')
  await page.getByRole('button', { name: 'Book credit' }).click()
  await page.getByText('€3.00 is booked').waitFor()
  await page.getByRole('link', { name: 'Audit' }).click()
  const first = page.getByRole('table').locator('tbody tr').first()
  await first.getByText('Booked a credit').waitFor()
  await first.getByText('ana@example.com').waitFor()
  assert.equal(await first.getByText('invoice-1815').isVisible(), false)
  await first.getByText('Details').click()
  assert.match(
    await first.innerText(),
    /kind: deposit\s+amount_eur: 3\.00\s+reference: invoice-1815/,
  )
  await page.getByRole('table').getByText('Operator’s token').first().waitFor()
  await first.getByRole('link', { name: accountId }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
})

testInBrowser('older entries come page by page', {}, async (page) => {
  const { accountId } = await openAccount(service)
  for (let key = 0; key < 55; key += 1) {
    await operate(service, 'POST', `/accounts/${accountId}/keys`, { name: `key ${key}` })
  }
  await signInOperator(service, page, 'bia@example.com')
  await openScreen(service, page, '/console/operator/audit', 'Audit')
  const rows = page.getByRole('table').locator('tbody tr')
  await page.getByText('50 shown.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/That is all\./).waitFor()
  assert.ok((await rows.count()) > 57)
})
