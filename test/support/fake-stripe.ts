import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StripeCall {
  readonly method: string | undefined
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly form: URLSearchParams
}

/** A real HTTP server in Stripe's place, that answers what it is told to. */
export interface FakeStripe {
  readonly url: string
  readonly calls: readonly StripeCall[]
  /** What the next calls are answered with, in their order; the last one for all that follow. */
  answer(...answers: readonly StripeAnswer[]): void
  close(): Promise<void>
}

export interface StripeAnswer {
  readonly status?: number
  readonly body: object
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const calls: StripeCall[] = []
  let answers: StripeAnswer[] = [{ status: 500, body: {} }]
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const { method, url = '', headers } = request
      calls.push({ method, path: url, headers, form: new URLSearchParams(text) })
      const [answer] = answers
      if (answers.length > 1) answers = answers.slice(1)
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer?.body ?? {}))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer(...given) {
      answers = [...given]
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
