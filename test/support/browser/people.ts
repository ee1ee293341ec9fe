import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import type { Service } from '../service.ts'

export const PASSWORD = 'correct horse battery staple'

const PATIENCE_MS = 5_000

/** The token of the link in the latest mail to an address, which has to be another one than `before`. */
export async function readMailedToken(service: Service, to: string, before = ''): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const mail = service.mailer.mails.findLast((one) => one.to === to)
    const token = /(?:token=|reset-password\/)([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    if (token !== undefined && token !== before) return token
    await delay(10)
  }
  throw new Error(`no mail to ${to}`)
}

/** A person with a verified address, made without a browser. */
export async function makePerson(
  service: Service,
  context: BrowserContext,
  email: string,
  name = 'Ana Lima',
): Promise<void> {
  const { issuer } = service.app.identity
  await post(context, issuer, '/api/auth/sign-up/email', { email, password: PASSWORD, name })
  const token = await readMailedToken(service, email)
  const verified = await context.request.get(`${issuer}/api/auth/verify-email?token=${token}`)
  assert.equal(verified.status(), 200)
}

/** Calls the sign-in API with what is in the browser. */
export async function post(
  context: BrowserContext,
  issuer: string,
  path: string,
  data: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await context.request.post(issuer + path, { data, headers: { origin: issuer } })
  assert.equal(response.status(), 200, await response.text())
  return (await response.json()) as Readonly<Record<string, unknown>>
}
