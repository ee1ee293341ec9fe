import type { Call, ConsoleOperation, Declaration, Declared } from '#api/contract/index.ts'

/** Each operation of the contract by its method and address, as the contract writes them. */
type Calls = {
  readonly [Found in ConsoleOperation as `${Found['method']} ${Found['path']}`]: CallOf<Found>
}
type CallOf<Found> =
  Found extends Declared<infer _Method, infer _Path, infer Told extends Declaration>
    ? Call<Told>
    : never

/** "get /console/api/person" */
export type Asked = keyof Calls

/** What an operation answers. */
export type ReplyTo<A extends Asked> = Calls[A]['reply']

/** What an operation has to be given: a query may be left out, and nothing it does not take fits. */
type Given<
  C extends { readonly params: unknown; readonly query: unknown; readonly body: unknown },
> = Needed<'params', C['params']> & Possible<'query', C['query']> & Needed<'body', C['body']>
type Needed<Name extends string, Value> = Value extends undefined
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: Value }
type Possible<Name extends string, Value> = { readonly [N in Name]?: Value | undefined }

/** A call that the service refused, or that did not reach it. */
export class Problem extends Error {
  /** The contract's code; "offline" where there was no answer. */
  readonly code: string
  /** 0 where there was no answer. */
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterS: number | undefined

  constructor(
    code: string,
    message: string,
    told: Partial<Pick<Problem, 'status' | 'requestId' | 'retryAfterS'>> = {},
  ) {
    super(message)
    this.code = code
    this.status = told.status ?? 0
    this.requestId = told.requestId
    this.retryAfterS = told.retryAfterS
  }
}

/** Calls an operation of the contract. Throws a `Problem` for whatever is not its reply. */
export async function call<A extends Asked>(
  asked: A,
  given: Given<Calls[A]>,
  signal?: AbortSignal,
): Promise<ReplyTo<A>> {
  const { params, query, body } = given as Loose
  const [method = '', path = ''] = asked.split(' ', 2)
  const response = await send(fillPath(path, params) + writeQuery(query), {
    method: method.toUpperCase(),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw await readProblem(response)
  // The service serialises by the same declaration that the type comes from.
  return (response.status === 204 ? undefined : await response.json()) as ReplyTo<A>
}

interface Loose {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

/** Like fetch, with a `Problem` where there is no answer at all. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Problem('offline', 'The service cannot be reached.')
  }
}

/** The contract's error body; something between us and the service may have answered in its place. */
export async function readProblem(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const told = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterS: Number.isNaN(retryAfter) ? undefined : retryAfter,
  }
  const body: unknown = await response.json().catch(() => undefined)
  const { error } = (body ?? {}) as { readonly error?: { code?: unknown; message?: unknown } }
  const { code, message } = error ?? {}
  if (typeof code === 'string' && typeof message === 'string') {
    return new Problem(code, message, told)
  }
  return new Problem('unreadable', `The answer was ${response.status}, in no form of ours.`, told)
}

export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_place, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

function writeQuery(query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
}
