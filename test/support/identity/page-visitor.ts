import type { Service } from '../service.ts'
import { createVisitor, type Visitor } from './visitor.ts'

export interface PageReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A browser without scripts, at an address of its own: the limits of signing in go by addresses. */
export interface PageVisitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PageReply>
  /** Sends a form of that page. */
  send(
    path: string,
    fields: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageReply>
  readonly cookies: Visitor['cookies']
}

let visitors = 0

/** The service has to trust 127.0.0.1 to say who called. */
export function createPageVisitor(service: Service): PageVisitor {
  visitors += 1
  const address = `10.2.${visitors >> 8}.${visitors & 255}`
  const visitor = createVisitor(service)

  async function ask(path: string, init: RequestInit): Promise<PageReply> {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    const response = await visitor.fetch(path, { ...init, headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  return {
    cookies: visitor.cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    send: (path, fields, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: String(new URLSearchParams(fields)),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
  }
}
