import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { sql } from 'kysely'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, credit, hello, openAccount, operate } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const DAY_MS = 86_400_000

testInBrowser(
  'the books are verified when they are told to be, and say what is wrong',
  {},
  async (page) => {
    const { accountId } = await openAccount(service, { depositEur: '10.00' })
    await signInOperator(service, page, 'ana@example.com')
    let verified = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/ledger/verify')) verified += 1
    })
    await openScreen(service, page, '/console/operator', 'Operator')
    await page.getByRole('table').waitFor()
    await openScreen(service, page, '/console/operator/books', 'Books')
    await page.getByRole('table').waitFor()
    assert.equal(verified, 0, 'never by itself')
    await page.getByRole('button', { name: 'Verify the books' }).click()
    await page.getByText('The books add up.').waitFor()
    await page.getByText(/transfers and 2 accounts were looked at/).waitFor()
    const move = (nano: number) =>
      sql`update balance set balance_nano = balance_nano + ${nano} where account_id = ${accountId}`.execute(
        service.store.db,
      )
    await move(1)
    await page.getByRole('button', { name: 'Verify again' }).click()
    await page.getByText(/The books do not add up: \d found\./).waitFor()
    await page.getByText(new RegExp(`^balance of ${accountId} is`)).waitFor()
    await assertAccessible(page, 'books that do not add up')
    await move(-1)
  },
)

testInBrowser(
  'transfers are chosen by days, and downloaded to the last decimal',
  {},
  async (page) => {
    const { accountId, key } = await openAccount(service)
    const today = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
    await chat(service, key, 'air', hello)
    service.clock.advance(DAY_MS)
    const tomorrow = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
    await credit(service, accountId, 'grant', '0.000000001')
    await signInOperator(service, page, 'bia@example.com')
    await openScreen(service, page, '/console/operator/books', 'Books')
    await page.getByLabel('From (UTC day)').fill(tomorrow)
    await page.getByLabel('To (UTC day)').fill(tomorrow)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(`**/books?from=${tomorrow}&to=${tomorrow}`)
    await page.getByText('€0.000000001').waitFor()
    assert.equal(await page.getByRole('cell', { name: 'Charges', exact: true }).count(), 0)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download these \d+ as CSV$/ }).click()
    const download = await saving
    assert.equal(download.suggestedFilename(), `books-${tomorrow}-${tomorrow}.csv`)
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    assert.equal(lines[0], 'date,kind,debit,credit,account,amount_eur,reference')
    const granted = `,${accountId},0.000000001,credit:credit-`
    assert.ok(lines.some((line) => line.startsWith(`${tomorrow},grant,`) && line.includes(granted)))

    await page.goto(`${issuer}/console/operator/books?to=${today}`)
    await page.getByRole('cell', { name: 'Charges', exact: true }).waitFor()
    await page.goto(`${issuer}/console/operator/books?from=2001-01-01&to=2001-01-02`)
    await page.getByText('There are no transfers in these days').waitFor()
    await page.goto(`${issuer}/console/operator/books?from=2001-02-30`)
    await page.getByText('from: must be a day that there is').waitFor()
    const { json } = await operate(service, 'GET', '/ledger/verify')
    assert.equal(json.ok, true)
  },
)
