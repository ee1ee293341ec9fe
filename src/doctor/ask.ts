import { Agent, request } from 'undici'

export interface Question {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly ca?: string | undefined
}

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      /** Its beginning. */
      readonly text: string
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly isTls: boolean }

/** No honest answer to what we ask is longer. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/** Asks over HTTP and follows no redirect. Never throws: what went wrong is an answer too. */
export async function ask(url: string, question: Question): Promise<Answer> {
  const { timeoutMs, ca } = question
  const signal = AbortSignal.timeout(timeoutMs)
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, ...(ca !== undefined && { ca }) },
  })
  try {
    const { statusCode, headers, body } = await request(url, {
      method: question.method ?? 'GET',
      ...(question.headers && { headers: question.headers }),
      ...(question.body !== undefined && { body: question.body }),
      signal,
      dispatcher,
    })
    let text = ''
    for await (const piece of body) {
      text += String(piece)
      if (text.length > MAX_CHARACTERS) break
    }
    return { kind: 'answered', status: statusCode, headers, text }
  } catch (error) {
    return { kind: 'failed', ...explain(error as NodeJS.ErrnoException, timeoutMs) }
  } finally {
    await dispatcher.destroy()
  }
}

interface Failure {
  readonly reason: string
  readonly isTls: boolean
}

/** Only codes and our own words: a library's message may quote what is secret. */
export function explain(error: NodeJS.ErrnoException, timeoutMs: number): Failure {
  const code = readCode(error)
  if (error.name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return { reason: describeTimeout(timeoutMs), isTls: false }
  }
  const known = REASONS[code]
  const isTls = /CERT|SELF_SIGNED|UNABLE_TO|ERR_SSL|ERR_TLS|EPROTO/.test(code)
  const reason = known ?? (isTls ? 'TLS fails' : 'the connection fails')
  return { reason: `${reason} (${code})`, isTls }
}

export function describeTimeout(timeoutMs: number): string {
  return `no answer within ${timeoutMs / 1_000} s`
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the name does not resolve',
  EDNS: 'the name does not resolve',
  EAI_NONAME: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve now',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is not whole',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** A failure of several addresses is told by that of the first. */
function readCode(error: NodeJS.ErrnoException & { errors?: unknown[]; cause?: unknown }): string {
  const inner = error.errors?.[0] ?? error.cause
  const code = error.code ?? (inner instanceof Error ? readCode(inner) : undefined)
  return code ?? error.name
}

/** Undefined for what is not a JSON object. */
export function readObject<Shape extends object>(text: string): Shape | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Shape) : undefined
  } catch {
    return undefined
  }
}

/** Host and path of an address, without the user and password that it may have in it. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that is none'
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/\/$/, '')
}
