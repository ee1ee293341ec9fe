import type { FastifyRequest } from 'fastify'
import { ADDRESS_HEADER, AUTH_PATH, type People } from '#identity/index.ts'
import type { Language } from './languages.ts'

export interface ApiCall {
  /** Below the sign-in API, e.g. "/sign-in/email". */
  readonly path: string
  /** Sent as JSON, by POST; without it the call is a GET. */
  readonly body?: Readonly<Record<string, unknown>>
  /** `none`: as somebody who is signed in nowhere. */
  readonly as?: 'none'
}

export interface ApiAnswer {
  readonly status: number
  readonly isOk: boolean
  /** Which problem it was; undefined where there was none, or it has no name. */
  readonly code: string | undefined
  readonly retryAfterS: number | undefined
  readonly body: unknown
  /** Whole `Set-Cookie` headers. */
  readonly cookies: readonly string[]
}

interface Caller {
  readonly people: People
  readonly issuer: string
  readonly request: Pick<FastifyRequest, 'headers' | 'ip'>
  readonly language: Language
}

/** Calls the sign-in API from within, for the visitor of a page: its limits and rules apply to them. */
export async function callApi(caller: Caller, { path, body, as }: ApiCall): Promise<ApiAnswer> {
  const { people, issuer, request, language } = caller
  const headers = new Headers({
    origin: issuer,
    // Mails are in the language of the page that asked for them.
    'accept-language': language,
    [ADDRESS_HEADER]: request.ip,
    ...(body && { 'content-type': 'application/json' }),
  })
  const { cookie, 'user-agent': agent } = request.headers
  if (cookie !== undefined && as !== 'none') headers.set('cookie', cookie)
  if (agent !== undefined) headers.set('user-agent', agent)
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await people.handle(new Request(issuer + AUTH_PATH + path, init))
  return readAnswer(response)
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const body = parse(await response.text())
  const code = (body as { readonly code?: unknown } | null)?.code
  const { headers, status, ok } = response
  const wait = Number(headers.get('retry-after') ?? headers.get('x-retry-after') ?? Number.NaN)
  return {
    status,
    isOk: ok,
    code: typeof code === 'string' ? code : undefined,
    retryAfterS: wait > 0 ? Math.ceil(wait) : undefined,
    body,
    cookies: headers.getSetCookie(),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
