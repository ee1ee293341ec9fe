import assert from 'node:assert/strict'
import { after } from 'node:test'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { operate } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })

const listClients = async () => (await operate(service, 'GET', '/clients')).json.data

testInBrowser(
  'an app is registered, changed, given a new secret, and deleted',
  {},
  async (page) => {
    await signInOperator(service, page, 'ana@example.com')
    await openScreen(service, page, '/console/operator/clients', 'Apps')
    await page.getByText('There is no app yet').waitFor()
    await page.getByText('npx parley client create').waitFor()
    await page.getByRole('button', { name: 'Register app' }).click()
    const form = page.getByRole('dialog', { name: 'Register app' })
    await assertAccessible(page, 'registering an app')
    await form.getByRole('button', { name: 'Register app' }).click()
    await form.getByText('Give a name.').waitFor()
    await form.getByText('Give at least one address.').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('Example Chat')
    const addresses = form.getByRole('textbox', { name: 'Redirect addresses' })
    await addresses.fill('https://chat.example.com/a\nhttp://chat.example.com/b')
    await form.getByRole('button', { name: 'Register app' }).click()
    await form.getByText('redirect_uris[1]:').waitFor()
    await addresses.fill('https://chat.example.com/a\n\nhttps://chat.example.com/b\n')
    await form.getByRole('button', { name: 'Register app' }).click()
    const shown = page.getByRole('dialog', { name: 'The secret of Example Chat' })
    const first = await shown.getByRole('region', { name: 'Client secret' }).innerText()
    assert.ok(first.length > 20)
    await shown.getByRole('button', { name: 'I stored it' }).click()
    await page.getByText('Example Chat is registered.').waitFor()
    assert.equal((await page.content()).includes(first), false)
    const [registered] = await listClients()
    assert.deepEqual(registered.redirect_uris, [
      'https://chat.example.com/a',
      'https://chat.example.com/b',
    ])
    assert.equal(registered.kind, 'confidential')

    await page.getByRole('button', { name: 'Change (Example Chat)' }).click()
    const change = page.getByRole('dialog', { name: 'Change Example Chat' })
    await change
      .getByRole('textbox', { name: 'Redirect addresses' })
      .fill('https://new.example.com/')
    await change.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('table').getByText('https://new.example.com/').waitFor()

    await page.getByRole('button', { name: 'New secret (Example Chat)' }).click()
    const rotate = page.getByRole('dialog', { name: 'Make a new secret for Example Chat?' })
    await rotate.getByText('The old secret stops at once').waitFor()
    await rotate.getByRole('button', { name: 'New secret' }).click()
    const second = await shown.getByRole('region', { name: 'Client secret' }).innerText()
    assert.notEqual(second, first)
    await shown.getByRole('button', { name: 'I stored it' }).click()

    await page.getByRole('button', { name: 'Delete (Example Chat)' }).click()
    const remove = page.getByRole('dialog', { name: 'Delete Example Chat?' })
    await remove.getByRole('textbox').fill('Example')
    await page.keyboard.press('Enter')
    await remove.getByText('This is not the name.').waitFor()
    assert.equal((await listClients()).length, 1)
    await remove.getByRole('textbox').fill('Example Chat')
    await page.keyboard.press('Enter')
    await page.getByText('Example Chat is deleted.').waitFor()
    await page.getByText('There is no app yet').waitFor()
    assert.deepEqual(await listClients(), [])
  },
)

testInBrowser('a public app has no secret to show, nor to make anew', {}, async (page) => {
  await signInOperator(service, page, 'bia@example.com')
  await openScreen(service, page, '/console/operator/clients', 'Apps')
  await page.getByRole('button', { name: 'Register app' }).click()
  const form = page.getByRole('dialog', { name: 'Register app' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Desk')
  await form.getByRole('radio', { name: /^Public/ }).check()
  await form.getByRole('textbox', { name: 'Redirect addresses' }).fill('http://127.0.0.1/callback')
  await form.getByRole('button', { name: 'Register app' }).click()
  await page.getByText('Desk is registered.').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.getByRole('button', { name: 'Change (Desk)' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New secret (Desk)' }).count(), 0)
})
