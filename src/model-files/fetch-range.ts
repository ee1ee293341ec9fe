import { isLoopback } from '#platform/http-url.ts'
import { ModelRefused } from './model-refused.ts'

/** A connection that fails, or a server that may have it later: worth another try. */
export class Passing extends Error {}

export interface Asked {
  readonly url: string
  readonly method: 'GET' | 'HEAD'
  /** The first byte that is wanted. */
  readonly from: number
  /** What the bytes before it were marked with: the server sends all of it where that has changed. */
  readonly etag: string | undefined
  readonly signal: AbortSignal
}

export interface Answered {
  /** Which byte comes first: another than was asked for where the server has sent all of it. */
  readonly from: number
  /** Of the whole file; undefined where nobody says. */
  readonly sizeBytes: number | undefined
  /** What marks this very content; weak marks are none. */
  readonly etag: string | undefined
  /** The file's SHA-256, where the hub tells one. */
  readonly sha256: string | undefined
  readonly body: ReadableStream<Uint8Array> | null
}

const MAX_REDIRECTS = 5

/** Throws a ModelRefused where an address leads to no place that we would load from. */
export function refuseUnsafe(url: string, whose: string): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return
  throw new ModelRefused(
    `${whose} ${url}, which is not https. Nothing is loaded where others could change it on its way.`,
  )
}

/**
 * Asks for a file from a byte on, along redirects: hubs keep large files elsewhere. Throws a Passing for what may
 * be otherwise soon, a ModelRefused for what will not.
 */
export async function fetchRange(asked: Asked): Promise<Answered> {
  let { url } = asked
  const told: Hints = { sizeBytes: undefined, sha256: undefined }
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await ask(url, asked)
    noteHints(response, told)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) {
      return readAnswer(response, url, asked, told)
    }
    await response.body?.cancel()
    url = new URL(location, url).href
    refuseUnsafe(url, `${new URL(asked.url).host} redirects to`)
  }
  throw new ModelRefused(`${asked.url} redirects again and again.`)
}

/** What a hub says of a file that it keeps elsewhere. */
interface Hints {
  sizeBytes: number | undefined
  sha256: string | undefined
}

/** The first that says it is the hub: whom it sends us to knows no better. */
function noteHints({ headers }: Response, told: Hints): void {
  const size = headers.get('x-linked-size') ?? ''
  const mark = headers.get('x-linked-etag')?.replaceAll('"', '') ?? ''
  if (/^\d+$/.test(size)) told.sizeBytes ??= Number(size)
  if (/^[0-9a-f]{64}$/.test(mark)) told.sha256 ??= mark
}

async function ask(url: string, { method, from, etag, signal }: Asked): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        // What is packed on its way has other sizes, and no ranges.
        'accept-encoding': 'identity',
        ...(from > 0 && { range: `bytes=${from}-` }),
        ...(from > 0 && etag !== undefined && { 'if-range': etag }),
      },
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new Passing(`${new URL(url).host}: ${describeFailure(error)}`, { cause: error })
  }
}

/** "fetch failed" tells nothing; what it failed of does. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection fails'
  const { cause } = error
  if (cause instanceof Error) return describeFailure(cause)
  const code = (error as NodeJS.ErrnoException).code
  return code === undefined ? error.message : `the connection fails (${code})`
}

/** There are no bytes beyond those that we have: it has become another file. */
const NOTHING: Answered = {
  from: 0,
  sizeBytes: undefined,
  etag: undefined,
  sha256: undefined,
  body: null,
}

async function readAnswer(
  response: Response,
  url: string,
  asked: Asked,
  hints: Hints,
): Promise<Answered> {
  const { status, headers, body } = response
  if (status !== 200 && status !== 206) {
    await body?.cancel()
    if (status === 416 && asked.from > 0) return NOTHING
    throw explainStatus(asked.url, new URL(url).host, status)
  }
  const range = readContentRange(headers.get('content-range'))
  const length = headers.get('content-length')
  const whole = length === null ? undefined : Number(length)
  return {
    from: status === 206 ? (range?.from ?? asked.from) : 0,
    sizeBytes: (status === 206 ? range?.sizeBytes : whole) ?? hints.sizeBytes,
    etag: readStrong(headers.get('etag')),
    sha256: hints.sha256,
    body,
  }
}

function readStrong(etag: string | null): string | undefined {
  return etag === null || etag.startsWith('W/') ? undefined : etag
}

/** `bytes 100-199/200`, or `/*` where the whole is not known. */
function readContentRange(text: string | null): { from: number; sizeBytes?: number } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(text ?? '')
  if (!match) return undefined
  const [, from, size] = match
  return { from: Number(from), ...(size !== '*' && { sizeBytes: Number(size) }) }
}

function explainStatus(asked: string, host: string, status: number): Error {
  if (status === 408 || status === 429 || status >= 500) {
    return new Passing(`${host} answers with status ${status}`)
  }
  if (status === 404 || status === 410) return new ModelRefused(`There is no file at ${asked}.`)
  if (status === 401 || status === 403) {
    return new ModelRefused(
      `${host} gives ${asked} only to who is signed in, or has none (status ${status}). Download it in a ` +
        'browser, then: parley model install ./FILE.gguf',
    )
  }
  return new ModelRefused(`${host} does not give ${asked}: it answers with status ${status}.`)
}
