import { AUTH_PATH } from './paths.ts'

/** A call of the sign-in API as we let it pass, or why it is refused. */
export type CleanCall =
  | ({ readonly kind: 'call' } & Call)
  | { readonly kind: 'refused'; readonly response: Response }

export interface Call {
  /** Below the path of the sign-in API. */
  readonly path: string
  readonly request: Request
  /** Of the request, read; empty for a GET. */
  readonly body: Body
}

export type Body = Readonly<Record<string, unknown>>

/**
 * What better-auth would follow and we never offer: addresses to go to, which our mails and pages do
 * not need, and ways around a second factor.
 */
const DROPPED = [
  'callbackURL',
  'redirectTo',
  'errorCallbackURL',
  'newUserCallbackURL',
  'trustDevice',
  'disableSession',
  'createSession',
] as const

/** U+0000 in JSON, which PostgreSQL cannot keep: after an even number of backslashes. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 100
const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200
const MAX_IMAGE_LENGTH = 2_048

/** Reads a call, refuses texts that we do not keep, and drops what we do not offer. */
export async function cleanRequest(request: Request): Promise<CleanCall> {
  const url = new URL(request.url)
  const path = url.pathname.slice(AUTH_PATH.length)
  for (const name of DROPPED) url.searchParams.delete(name)
  if ([...url.searchParams.values()].some((value) => value.includes('\0'))) {
    return refuse(400, 'INVALID_TEXT', 'Texts must not contain U+0000.')
  }
  const { method, headers } = request
  if (method !== 'POST') {
    return { kind: 'call', path, request: new Request(url, { method, headers }), body: {} }
  }
  const read = await readBody(request)
  if (read instanceof Response) return { kind: 'refused', response: read }
  const body = { ...read, ...(path === '/change-password' && { revokeOtherSessions: true }) }
  const cleaned = new Headers(headers)
  cleaned.set('content-type', 'application/json')
  cleaned.delete('content-length')
  return {
    kind: 'call',
    path,
    body,
    request: new Request(url, { method, headers: cleaned, body: JSON.stringify(body) }),
  }
}

async function readBody(request: Request): Promise<Body | Response> {
  const text = await request.text()
  if (text === '') return {}
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';', 1)
  // Pages of others can send forms and plain text without being asked, JSON they cannot.
  if (type.trim().toLowerCase() !== 'application/json') {
    return answer(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
  }
  const body = parse(text)
  if (!body) return answer(400, 'INVALID_JSON', 'The body must be a JSON object.')
  if (NUL.test(text)) return answer(400, 'INVALID_TEXT', 'Texts must not contain U+0000.')
  const problem = findProblem(body)
  if (problem) return answer(400, ...problem)
  const dropped = new Set<string>(DROPPED)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.has(name)))
}

function parse(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && isShallow(value, MAX_DEPTH) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** What a device answers is the deepest; far deeper texts cannot even be written out again. */
const MAX_DEPTH = 8

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((child) => isShallow(child, depth - 1))
}

type Problem = readonly [code: string, message: string]

function findProblem(body: Body): Problem | undefined {
  const { name, email, newEmail, image, password, newPassword, currentPassword } = body
  if (name !== undefined && !isText(name, 1, MAX_NAME_LENGTH)) {
    return ['INVALID_NAME', `A name has 1 to ${MAX_NAME_LENGTH} characters.`]
  }
  for (const address of [email, newEmail]) {
    if (address !== undefined && !isText(address, 3, MAX_EMAIL_LENGTH)) {
      return ['INVALID_EMAIL', `An address has at most ${MAX_EMAIL_LENGTH} characters.`]
    }
  }
  for (const secret of [password, currentPassword]) {
    if (secret !== undefined && !isText(secret, 1, MAX_PASSWORD_LENGTH)) {
      return ['PASSWORD_TOO_LONG', `A password has at most ${MAX_PASSWORD_LENGTH} characters.`]
    }
  }
  // Before the old one is looked at: a password that is too short is no guess.
  if (newPassword !== undefined && !isText(newPassword, MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)) {
    return ['PASSWORD_TOO_SHORT', `A password has ${MIN_PASSWORD_LENGTH} to 200 characters.`]
  }
  if (image !== undefined && image !== null && !isPicture(image)) {
    return ['INVALID_IMAGE', 'A picture is an https address.']
  }
  return undefined
}

function isText(value: unknown, minLength: number, maxLength: number): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false
  const { length } = Array.from(value)
  return length >= minLength && length <= maxLength
}

function isPicture(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_IMAGE_LENGTH) return false
  return URL.canParse(value) && new URL(value).protocol === 'https:'
}

function refuse(status: number, code: string, message: string): CleanCall {
  return { kind: 'refused', response: answer(status, code, message) }
}

/** A refusal as better-auth itself writes them. */
export function answer(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status })
}
