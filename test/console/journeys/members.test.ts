import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { PASSWORD, readMailedToken } from '../../support/browser/people.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import {
  goTo,
  JOURNEY,
  openAnother,
  readAccount,
  signInOnPage,
} from '../../support/console/journey.ts'
import { openScreen, settle, signInTo } from '../../support/console/open-console.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, JOURNEY)
const { issuer } = service.app.identity

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody to this account' })
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByRole('status').getByText(`The invitation to ${email} is on its way.`).waitFor()
}

async function changeRole(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Change the role of ${email}` }).click()
  const dialog = page.getByRole('dialog', { name: `Change the role of ${email}` })
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Save role' }).click()
  await page.getByRole('status').getByText(`${email} is now: ${role}.`).waitFor()
}

/** Follows the mail as somebody who is not here yet. */
async function signUpAndAccept(page: Page, email: string): Promise<void> {
  const token = await readMailedToken(service, email)
  await page.goto(`${issuer}/invitation?token=${token}`)
  await page.getByRole('heading', { name: 'You are invited to an account' }).waitFor()
  await assertAccessible(page, 'an invitation')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Rui Melo')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  const confirming = await readMailedToken(service, email, token)
  await page.goto(`${issuer}/verify-email?token=${confirming}`)
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await page.getByRole('status').getByText('Your address is confirmed').waitFor()
  await signInOnPage(page, email)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.waitForURL(`${issuer}/console`)
}

const linksOf = async (page: Page): Promise<readonly string[]> =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link').allTextContents()

/** Of the screens that not every role has. */
const SCREENS = {
  Developer: ['First call', 'Keys', 'Playground', 'Requests'],
  Billing: ['Balance'],
  'Read-only': ['Keys', 'Requests', 'Balance'],
} as const
const SOME = new Set(['First call', 'Keys', 'Playground', 'Requests', 'Balance'])
const ADDRESSES = {
  'First call': '/console/start',
  Keys: '/console/keys',
  Playground: '/console/playground',
  Requests: '/console/requests',
  Balance: '/console/balance',
} as const

/** Who only reads finds what the owner did, too. */
async function assertActivity(member: Page, email: string, role: string): Promise<void> {
  await member.goto(`${issuer}/console/activity?kind=members`)
  const rows = member.getByRole('table', { name: 'Activity, newest first' }).locator('tbody tr')
  await rows.filter({ hasText: 'Joined an account' }).getByText('You').waitFor()
  const ofOwner = rows.filter({ hasText: 'Changed a member’s role' })
  assert.equal((await ofOwner.count()) > 0, role === 'Read-only', role)
  if (role === 'Read-only') await ofOwner.first().getByRole('link', { name: email }).waitFor()
}

testInBrowser(
  'who is invited signs up, joins, and sees what their role is for',
  {},
  async (page, t) => {
    const [owner, email] = ['owner@example.com', 'rui@example.com']
    await signInTo(service, page, owner)
    const { id } = await readAccount(service, owner)
    await openScreen(service, page, '/console/members', 'Members')
    await page.getByText('Nobody is invited who has not accepted.').waitFor()
    await invite(page, email, 'Developer')
    await page.getByRole('button', { name: `Send the invitation to ${email} again` }).waitFor()
    const member = await openAnother(page, t)
    await signUpAndAccept(member, email)
    // The account of the invitation is the one that is shown, and one's own is a choice away.
    const choice = member.getByRole('combobox', { name: 'Account' })
    assert.equal(await choice.inputValue(), id)
    await page.reload()
    await page.getByRole('button', { name: `Remove ${email}` }).waitFor()
    await assertAccessible(page, 'members')
    await page.setViewportSize({ width: 1_280, height: 800 })

    for (const [role, screens] of Object.entries(SCREENS)) {
      if (role !== 'Developer') await changeRole(page, email, role)
      await member.goto(`${issuer}/console`)
      await settle(member)
      assert.deepEqual(
        (await linksOf(member)).filter((name) => SOME.has(name)),
        screens,
        role,
      )
      for (const [name, address] of Object.entries(ADDRESSES)) {
        await member.goto(issuer + address)
        await settle(member)
        const isRefused =
          (await member.getByRole('heading', { name: 'Not for your role' }).count()) > 0
        assert.equal(isRefused, !(screens as readonly string[]).includes(name), `${role} ${name}`)
      }
      await member.goto(`${issuer}/console/limits`)
      await settle(member)
      const canSet = await member.getByRole('button', { name: 'Set ceiling' }).count()
      assert.equal(canSet > 0, role === 'Developer', role)
      await assertActivity(member, email, role)
    }
    // Who only looks finds no button that changes anything.
    await openScreen(service, member, '/console/keys', 'API keys')
    await member.getByText('you may look at this, and not change it').waitFor()
    assert.equal(await member.getByRole('button', { name: 'Create key' }).count(), 0)
    await assertAccessible(member, 'keys, looked at')
    await member.setViewportSize({ width: 1_280, height: 800 })

    // Removed at work, they find themselves in their own account.
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    const dialog = page.getByRole('dialog', { name: `Remove ${email} from this account?` })
    await dialog.getByText('Keys that they made stay').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('status').getByText(`${email} is no longer a member.`).waitFor()
    await goTo(member, 'Usage')
    await member.reload()
    await goTo(member, 'Members')
    await member.getByText(`The account of ${email}.`).waitFor()
  },
)

testInBrowser('two tabs about two accounts are never mixed up', {}, async (page, t) => {
  const [owner, email] = ['both@example.com', 'tabs@example.com']
  await signInTo(service, page, owner)
  const own = (await readAccount(service, owner)).id
  const host = await openAnother(page, t)
  await signInTo(service, host, email)
  const other = (await readAccount(service, email)).id
  await openScreen(service, host, '/console/members', 'Members')
  await invite(host, owner, 'Owner')
  await page.goto(`${issuer}/invitation?token=${await readMailedToken(service, owner)}`)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.waitForURL(`${issuer}/console`)
  const tab = await page.context().newPage()
  await openScreen(service, tab, '/console/members', 'Members')
  await tab.getByRole('combobox', { name: 'Account' }).selectOption(own)
  await tab.getByText(`The account of ${owner}.`).waitFor()
  await page.reload()
  const asked = (of: Page): string[] => {
    const urls: string[] = []
    of.on('request', (request) => {
      const [account] = /acc_\w+/.exec(request.url()) ?? []
      if (account !== undefined) urls.push(account)
    })
    return urls
  }
  const [here, there] = [asked(page), asked(tab)]
  for (const one of [page, tab]) {
    await openScreen(service, one, '/console/keys', 'API keys')
    await settle(one)
  }
  assert.deepEqual([new Set(here), new Set(there)], [new Set([other]), new Set([own])])
  // Two owners: one may leave, and is back at their own.
  await openScreen(service, page, '/console/members', 'Members')
  await page.getByRole('button', { name: 'Leave this account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave this account?' })
  await assertAccessible(page, 'about to leave')
  await dialog.getByRole('button', { name: 'Leave this account' }).click()
  await page.getByText(`The account of ${owner}.`).waitFor()
})

testInBrowser('members in Portuguese', { locale: 'pt-PT' }, async (page) => {
  await signInTo(service, page, 'ana@example.com')
  await openScreen(service, page, '/console/members', 'Membros')
  await page.getByRole('button', { name: 'Convidar alguém' }).click()
  const dialog = page.getByRole('dialog', { name: 'Convidar alguém para esta conta' })
  await dialog.getByLabel('Endereço de e-mail').fill('ze')
  await assertAccessible(page, 'inviting, pt')
  await dialog.getByRole('button', { name: 'Enviar convite' }).click()
  await dialog.getByText('não é um endereço').waitFor()
  await dialog.getByLabel('Endereço de e-mail').fill('ze@example.com')
  await dialog.getByRole('button', { name: 'Enviar convite' }).click()
  await page.getByText('O convite para ze@example.com vai a caminho.').waitFor()
  await page.getByRole('button', { name: 'Retirar o convite para ze@example.com' }).click()
  await page.getByText('Não há convites por aceitar.').waitFor()
})
