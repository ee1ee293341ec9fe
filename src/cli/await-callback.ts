import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandError } from './command-error.ts'

/** Where the browser comes back to: a free port of this machine, for one sign-in. */
export interface CallbackListener {
  readonly redirectUri: string
  /** The first call that has our state. Rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<Callback>
  close(): Promise<void>
}

export interface Callback {
  readonly url: URL
  /** Shows a page in the browser, and resolves when it has been sent. */
  answer(page: Page): Promise<void>
}

export interface Page {
  readonly status: 200 | 400 | 404
  readonly title: string
  readonly sentence: string
}

const PATH = '/callback'
/** A call that never says what it wants must not keep the command waiting at its end. */
const REQUEST_TIMEOUT_MS = 10_000

/** Takes calls with this state alone: any page in the browser can call a port of this machine. */
export async function listenForCallback(state: string): Promise<CallbackListener> {
  const { promise, resolve } = Promise.withResolvers<Callback>()
  let isTaken = false
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: 16 * 1_024 },
    (request, response) => {
      const url = URL.parse(request.url ?? '/', redirectUri)
      const problem = findProblem(request, url, { redirectUri, state, isTaken })
      if (!url || problem) {
        void send(response, problem ?? NOTHING_HERE)
        return
      }
      isTaken = true
      resolve({ url, answer: (page) => send(response, page) })
    },
  )
  const redirectUri = (await listen(server)) + PATH
  return {
    redirectUri,
    next: (signal) => Promise.race([promise, untilAborted(signal)]),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** On IPv4, or where the machine has none, on IPv6; never on an address that others reach. */
async function listen(server: Server): Promise<string> {
  for (const host of ['127.0.0.1', '::1']) {
    try {
      server.listen(0, host)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return host === '::1' ? `http://[::1]:${port}` : `http://127.0.0.1:${port}`
    } catch {
      // The next one.
    }
  }
  throw new CommandError('This machine lets nothing listen on 127.0.0.1 or [::1] for the browser.')
}

interface Expected {
  readonly redirectUri: string
  readonly state: string
  readonly isTaken: boolean
}

function findProblem(
  request: IncomingMessage,
  url: URL | null,
  { redirectUri, state, isTaken }: Expected,
): Page | undefined {
  // Under another name it was not we who sent the browser here.
  const isOurs = request.headers.host === new URL(redirectUri).host && request.method === 'GET'
  if (!isOurs || url?.pathname !== PATH) return NOTHING_HERE
  const states = url.searchParams.getAll('state')
  if (isTaken || states.length !== 1 || states[0] !== state) return ANOTHER
  return undefined
}

const NOTHING_HERE: Page = {
  status: 404,
  title: 'There is nothing here',
  sentence: 'The parley command waits for a sign-in here, and for nothing else.',
}

const ANOTHER: Page = {
  status: 400,
  title: 'This is another sign-in',
  sentence: 'It is not the one that the parley command waits for. Use the address that it shows.',
}

async function send(response: ServerResponse, { status, title, sentence }: Page): Promise<void> {
  const closed = once(response, 'close')
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><head><title>${escape(title)}</title></head>` +
      `<body><main><h1>${escape(title)}</h1><p>${escape(sentence)}</p></main></body></html>`,
  )
  await closed
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason as Error
}
