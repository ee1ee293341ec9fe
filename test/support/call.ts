import { assertMatchesDocument } from './openapi.ts'
import type { Body, Chunk, Rows } from './body.ts'
import type { Service } from './service.ts'

export interface CallOptions {
  readonly key?: string
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is JSON; undefined where it is not. */
  readonly json: Body
}

/** Calls the service over HTTP. Every answer is held against the OpenAPI document that it serves. */
export async function call(
  service: Service,
  method: string,
  path: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = readAnswer(response.status, response.headers, await readText(response))
  await assertMatchesDocument(service, method, path, answer)
  return answer
}

/** Of a stream that has no end of its own: its first event. */
async function readText(response: Response): Promise<string> {
  if (!response.body || !response.url.split('?')[0]?.endsWith('/events')) return response.text()
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (/^data: .*\n\n/m.test(text)) break
  }
  return text
}

export function readAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined }
}

/** Calls the operator's surface. */
export function operate(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const options = { key: service.operatorToken, ...(body !== undefined && { body }) }
  return call(service, method, `/operator/v1${path}`, options)
}

export function chat(
  service: Service,
  key: string,
  brand: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return call(service, 'POST', `/v1/chat/${brand}`, { key, body })
}

export const hello = { messages: [{ role: 'user', content: 'Hello!' }] }

export interface OpenedAccount {
  readonly accountId: string
  readonly keyId: string
  readonly key: string
}

let accounts = 0

/** An account with its free 1.00 €, a deposit if one is given, and a key. */
export async function openAccount(
  service: Service,
  { depositEur, ...changes }: { depositEur?: string; [field: string]: unknown } = {},
): Promise<OpenedAccount> {
  accounts += 1
  const email = `person-${accounts}@example.com`
  const { json: account } = await operate(service, 'POST', '/accounts', { email })
  const path = `/accounts/${account.id}`
  if (depositEur !== undefined) await credit(service, account.id, 'deposit', depositEur)
  if (Object.keys(changes).length > 0) await operate(service, 'PATCH', path, changes)
  const { json: created } = await operate(service, 'POST', `${path}/keys`, { name: 'test' })
  return { accountId: account.id, keyId: created.id, key: created.key }
}

/**
 * An account with exactly this balance, all of it a gift; nothing at all where no amount is given.
 * It is its person's second, and so has no free credit.
 */
export async function openAccountWith(service: Service, grantEur?: string): Promise<OpenedAccount> {
  const first = await openAccount(service)
  const { email } = (await operate(service, 'GET', `/accounts/${first.accountId}`)).json
  const { json: account } = await operate(service, 'POST', '/accounts', { email })
  if (grantEur !== undefined) await credit(service, account.id, 'grant', grantEur)
  const path = `/accounts/${account.id}/keys`
  const { json: created } = await operate(service, 'POST', path, { name: 'test' })
  return { accountId: account.id, keyId: created.id, key: created.key }
}

let credits = 0

/** Books a credit under a reference of its own. */
export async function credit(
  service: Service,
  accountId: string,
  kind: 'deposit' | 'grant',
  amountEur: string,
): Promise<void> {
  credits += 1
  const body = { kind, amount_eur: amountEur, reference: `credit-${credits}` }
  const { status, text } = await operate(service, 'POST', `/accounts/${accountId}/credits`, body)
  if (status !== 201) throw new Error(`the credit was not booked: ${text}`)
}

/** The JSON of each event of a stream; the last line must be `data: [DONE]`. */
export function readEvents(text: string): Rows<Chunk> {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  const last = lines.pop()
  if (last !== 'data: [DONE]') throw new Error(`the stream ends with ${JSON.stringify(last)}`)
  const chunks: Chunk[] = lines.map((line) => JSON.parse(line.slice('data: '.length)))
  return chunks as unknown as Rows<Chunk>
}
