import assert from 'node:assert/strict'
import type { Mail } from '#platform/mail/index.ts'
import { serveFor, type Scope, type Service, type ServiceOptions } from '../service.ts'
import { createVisitor, PASSWORD, type Visitor } from './visitor.ts'

/** A service at which every visitor has an address of their own. */
export function servePeople(scope: Scope, options: ServiceOptions = {}): Promise<Service> {
  return serveFor(scope, { identity: true, trustedProxies: ['127.0.0.1'], ...options })
}

let addresses = 0

/** One that nobody has used. */
export function newAddress(name = 'person'): string {
  addresses += 1
  return `${name}-${addresses}@example.com`
}

/** Somebody who has signed up, confirmed their address and signed in. */
export async function signedIn(
  service: Service,
  email = newAddress(),
): Promise<Visitor & { readonly email: string }> {
  const visitor = createVisitor(service)
  await visitor.signUp(email)
  await visitor.signIn(email)
  return { ...visitor, email }
}

export function mailsTo({ mailer }: Service, email: string): Mail[] {
  return mailer.mails.filter(({ to }) => to === email)
}

/** What the link of the last mail to an address carries. */
export function lastToken(service: Service, email: string): string {
  const mail = mailsTo(service, email).findLast(({ link }) => link?.includes('token='))
  const token = mail?.link && new URL(mail.link).searchParams.get('token')
  assert.ok(token, 'a mail with a token was sent')
  return token
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** Posts to the sign-in API, and reads what comes back. */
export async function post(visitor: Visitor, path: string, body: unknown): Promise<Reply> {
  return readReply(await visitor.post(`/api/auth${path}`, body))
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body, headers: response.headers }
}

/** Tries to sign in from an address that nobody else has. */
export function trySignIn(service: Service, email: string, password = PASSWORD): Promise<Reply> {
  return post(createVisitor(service), '/sign-in/email', { email, password })
}

/** Who a browser is signed in as, by its address; undefined for nobody. */
export async function whoIs(visitor: Visitor): Promise<string | undefined> {
  const session = (await (await visitor.fetch('/api/auth/get-session')).json()) as {
    user: { email: string }
  } | null
  return session?.user.email
}

export function codeOf({ body }: Reply): string | undefined {
  return (body as { readonly code?: string } | undefined)?.code
}

/** Asks for a new password, and sets it by the link of the mail. */
export async function resetPassword(
  service: Service,
  email: string,
  newPassword: string,
): Promise<Reply> {
  const visitor = createVisitor(service)
  await post(visitor, '/request-password-reset', { email })
  return post(visitor, '/reset-password', { token: lastToken(service, email), newPassword })
}
