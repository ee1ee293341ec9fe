import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page, Request } from 'playwright-core'
import type { ConsoleScreen } from '#api/contract/index.ts'
import { makePerson, PASSWORD, post } from '../browser/people.ts'
import type { Service } from '../service.ts'

const BUILT = fileURLToPath(new URL('../../../web/dist/index.html', import.meta.url))

/** Somebody new, signed in in this page's browser. */
export async function signInTo(service: Service, page: Page, email: string): Promise<void> {
  assert.ok(existsSync(BUILT), 'the console is not built: run "npm run web" first')
  const { issuer } = service.app.identity
  await makePerson(service, page.context(), email)
  await post(page.context(), issuer, '/api/auth/sign-in/email', { email, password: PASSWORD })
}

/** Goes to a screen and waits until its title is there. */
export async function openScreen(
  service: Service,
  page: Page,
  screen: ConsoleScreen | `/console/operator/accounts/${string}`,
  title: string,
): Promise<void> {
  await page.goto(service.app.identity.issuer + screen)
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}

/** Waits until a screen has all that it asked for. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main:has(h1):not(:has([role=status].animate-pulse))').waitFor()
}

/** All that a page asks for from elsewhere: it must stay empty. */
export function watchForeignRequests(service: Service, page: Page): readonly string[] {
  const { issuer } = service.app.identity
  const foreign: string[] = []
  page.on('request', (request: Request) => {
    const url = request.url()
    if (!url.startsWith(`${issuer}/`) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  return foreign
}
