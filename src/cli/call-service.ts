import type { ErrorBody } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'

export interface ServiceCall {
  /** As `readServiceUrl` gives it. */
  readonly url: string
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body?: unknown
  readonly signal: AbortSignal
  /** Waits longer than the five minutes that fetch itself would. */
  readonly isPatient?: boolean
}

/** Calls the service and returns its answer, if it is a success. Else throws a CommandError. */
export async function callService(call: ServiceCall): Promise<Response> {
  const { url, method, path, token, body, signal, isPatient = false } = call
  checkToken(token)
  const ask = isPatient ? await loadPatientFetch() : fetch
  const response = await explained(url, () =>
    ask(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Followed, a redirect would turn a POST into a GET and do nothing, without a word.
      redirect: 'manual',
      signal,
    }),
  )
  if (!response.ok) throw await readRefusal(url, response)
  return response
}

/** Loaded only where it is used: most commands must start fast. */
async function loadPatientFetch(): Promise<typeof fetch> {
  const { Agent, fetch: fetchBy } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  // The same interface under two names, whose types know nothing of each other.
  const patient = (url: string, init: object) => fetchBy(url, { ...init, dispatcher })
  return patient as unknown as typeof fetch
}

/** What no header can carry, fetch would tell as a failure of the network. */
export function checkToken(token: string): void {
  if (/^[!-~]+$/.test(token)) return
  throw new CommandError('The token or key has a space or a letter that none has: look at it.')
}

/** Where the service is: PARLEY_URL, with or without "/v1", else this machine. */
export function readServiceUrl({ env }: CommandIo): string {
  const url = env['PARLEY_URL'] ?? `http://127.0.0.1:${env['PORT'] ?? '8080'}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(
      `PARLEY_URL is ${JSON.stringify(url)}: set it to an address such as http://127.0.0.1:8080.`,
    )
  }
  return url.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Runs a step of a call and tells a person what a failure of the network means. */
export async function explained<Result>(url: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw explainNetworkError(url, error)
  }
}

/** Leaves what is no failure of the network as it is. */
export function explainNetworkError(url: string, error: unknown): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error
  if (error.name === 'TimeoutError') {
    return new CommandError(`${url} did not answer in time. Look at the service's log.`, {
      cause: error,
    })
  }
  if (!(error instanceof TypeError)) return error
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  // The only other one is that of a body which does not arrive whole.
  if (error.message !== 'fetch failed') {
    return new CommandError(`The connection to ${url} broke off (${code ?? message}).`, {
      cause: error,
    })
  }
  return new CommandError(
    `No service can be reached at ${url} (${code ?? message}). Is it running? Set PARLEY_URL if it is elsewhere.`,
    { cause: error },
  )
}

async function readRefusal(url: string, response: Response): Promise<CommandError> {
  const text = await explained(url, () => response.text())
  const error = parseErrorBody(text)
  if (error) return new CommandError(`${error.message} [${error.code}]`, { code: error.code })
  const location = response.headers.get('location')
  const answer = `${response.status}${location === null ? '' : `, a redirect to ${location}`}`
  return new CommandError(
    `${url} does not answer as Parley does (HTTP ${answer}). Set PARLEY_URL to the service's address.`,
  )
}

function parseErrorBody(text: string): ErrorBody['error'] | undefined {
  const body = parseJson(text) as Partial<ErrorBody> | null | undefined
  const error = body?.error as Partial<ErrorBody['error']> | undefined
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined
  return { code: error.code, message: error.message }
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
