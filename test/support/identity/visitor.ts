import assert from 'node:assert/strict'
import type { Service } from '../service.ts'
import { createCookieJar, type CookieJar } from './cookie-jar.ts'

export const PASSWORD = 'correct horse battery staple'

/** What came of an authorization: back at the app, or what the visitor was left with. */
export interface Visit {
  /** Where the app was called back; undefined where it was not. */
  readonly callback: URL | undefined
  /** Each address asked, "GET 303 /path". */
  readonly trail: readonly string[]
  readonly last: { readonly status: number; readonly text: string }
}

export interface VisitOptions {
  readonly decision?: 'allow' | 'deny'
  /** Called where the visitor is asked to sign in, again or at all. */
  readonly onSignIn?: () => Promise<void>
}

/** A browser without scripts: it keeps cookies, follows redirects and sends forms. */
export interface Visitor {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Posts JSON to the sign-in API. */
  post(path: string, body: unknown): Promise<Response>
  /** Makes a person with a verified address, signed in nowhere. */
  signUp(email: string, name?: string): Promise<void>
  signIn(email: string, password?: string): Promise<void>
  /** Goes where an app sends its visitors to, and does what it is asked there. */
  authorize(url: URL, options?: VisitOptions): Promise<Visit>
  readonly cookies: CookieJar['cookies']
}

const MAX_HOPS = 15

let addresses = 0

/** Each call comes from elsewhere, where the service believes who forwards it (`trustedProxies`). */
function nextAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export function createVisitor(
  service: Pick<Service, 'origin' | 'mailer'>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Visitor {
  const { origin } = service
  const jar = createCookieJar()

  async function send(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, origin)
    const headers = new Headers(init.headers)
    if (!headers.has('origin')) headers.set('origin', origin)
    if (!headers.has('x-forwarded-for')) headers.set('x-forwarded-for', nextAddress())
    const cookie = jar.write(target.pathname)
    if (cookie !== undefined) headers.set('cookie', cookie)
    const response = await fetch(target, { ...init, headers, redirect: 'manual' })
    jar.keep(response)
    return response
  }

  const post = (path: string, body: unknown): Promise<Response> =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    cookies: jar.cookies,
    fetch: send,
    post,
    authorize: (url, options = {}) => authorize({ origin, send }, url, options),
    async signUp(email, name = 'Somebody') {
      const { status } = await post('/api/auth/sign-up/email', { email, password: PASSWORD, name })
      assert.equal(status, 200)
      const mail = service.mailer.mails.findLast(({ to }) => to === email)
      const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
      const verified = await send(`/api/auth/verify-email?token=${token}`)
      assert.equal(verified.status, 200)
    },
    async signIn(email, password = PASSWORD) {
      const response = await post('/api/auth/sign-in/email', { email, password })
      assert.equal(response.status, 200, await response.text())
    },
  }
}

interface Sender {
  readonly origin: string
  readonly send: Visitor['fetch']
}

interface Hop {
  readonly url: URL
  readonly form?: URLSearchParams
}

async function authorize(
  { origin, send }: Sender,
  url: URL,
  options: VisitOptions,
): Promise<Visit> {
  const trail: string[] = []
  let next: Hop = { url }
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (next.url.origin !== origin) return { callback: next.url, trail, last: NOTHING }
    if (next.url.pathname === '/sign-in') {
      trail.push('sign in')
      if (!options.onSignIn) return { callback: undefined, trail, last: NOTHING }
      await options.onSignIn()
      next = { url: new URL(next.url.searchParams.get('next') ?? '/', origin) }
      continue
    }
    const response = await send(next.url, next.form && { method: 'POST', body: next.form })
    trail.push(`${next.form ? 'POST' : 'GET'} ${response.status} ${next.url.pathname}`)
    const text = await response.text()
    const place = response.headers.get('location') ?? readRefresh(text)
    const isAsked = response.status === 200 && text.includes('name="decision"')
    if (place !== undefined) next = { url: new URL(place, origin) }
    else if (isAsked) next = { url: next.url, form: decide(options) }
    else return { callback: undefined, trail, last: { status: response.status, text } }
  }
  throw new Error(`no end: ${trail.join(', ')}`)
}

const NOTHING = { status: 0, text: '' }

function decide({ decision = 'allow' }: VisitOptions): URLSearchParams {
  return new URLSearchParams({ decision })
}

/** Where a page sends its reader on, without a script. */
function readRefresh(html: string): string | undefined {
  const [, url] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(html) ?? []
  return url?.replaceAll('&amp;', '&')
}
