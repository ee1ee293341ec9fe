import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'
import type { ServiceClock } from '../world/service-clock.ts'
import type { RoundAccount } from './accounts.ts'
import type { Attempt, Brand, End, Head } from './attempt.ts'
import { readEnd } from './read-end.ts'

export interface Question {
  readonly account: RoundAccount
  readonly brand: Brand
  readonly streamed: boolean
  readonly maxTokens: number
  /** What the fake upstream makes its reply of; see `topics.ts`. */
  readonly topic: string
  /** Leaves after so long, whatever has come until then. */
  readonly patienceMs?: number
  /** Reads so slowly that the reply must wait for it. */
  readonly takesBytewise?: boolean
}

export interface AskTools {
  /** Where to ask; undefined while nothing runs. */
  readonly origin: () => string | undefined
  readonly clock: Pick<ServiceClock, 'stamp'>
  readonly agent: Agent
  /** Every client leaves when it is aborted. */
  readonly signal: AbortSignal
}

/** Far more than any reply may take here: who waits longer has been forgotten. */
const FORGOTTEN_MS = 15_000

/** Asks once and tells what came of it; undefined where there was nobody to ask. */
export async function ask(tools: AskTools, question: Question): Promise<Attempt | undefined> {
  const origin = tools.origin()
  if (origin === undefined || tools.signal.aborted) return undefined
  const sentAt = tools.clock.stamp()
  const exchange = send(origin, tools, question)
  const { head, end, wasSent } = await exchange
  if (!wasSent) return undefined
  const { account, brand, maxTokens } = question
  return { account, brand, maxTokens, sentAt, endedAt: tools.clock.stamp(), head, end }
}

interface Outcome {
  readonly head: Head | undefined
  readonly end: End
  readonly wasSent: boolean
}

const BROKEN: End = { kind: 'broken' }

function send(origin: string, tools: AskTools, question: Question): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const patience = AbortSignal.timeout(question.patienceMs ?? FORGOTTEN_MS)
  const request = httpRequest(`${origin}/v1/chat/${question.brand}`, {
    method: 'POST',
    agent: tools.agent,
    signal: AbortSignal.any([tools.signal, patience]),
    headers: {
      authorization: `Bearer ${question.account.key}`,
      'content-type': 'application/json',
    },
  })
  let head: Head | undefined
  request.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ head, end: BROKEN, wasSent: error.code !== 'ECONNREFUSED' }),
  )
  request.on('response', (response) => {
    const seen = readHead(response)
    head = seen
    void readBody(response, question).then((text) => {
      const end = text === undefined ? BROKEN : readEnd(seen.status, question.streamed, text)
      resolve({ head: seen, end, wasSent: true })
    })
  })
  request.end(
    JSON.stringify({
      messages: [{ role: 'user', content: question.topic }],
      stream: question.streamed,
      max_tokens: question.maxTokens,
    }),
  )
  return promise
}

function readHead({ statusCode = 0, headers }: IncomingMessage): Head {
  const reset = headers['x-ratelimit-reset']
  return {
    status: statusCode,
    requestId: String(headers['x-request-id']),
    windowEndsS: typeof reset === 'string' ? Number(reset) : undefined,
  }
}

/** Nobody looks at more than a reply's end; what floods through must not fill our own memory. */
const KEPT_CHARACTERS = 64 * 1024
/** A client of one byte a second has taken this much when its round is over. */
const BYTE_PAUSE_MS = 1_000

/** The body's last part; undefined where it broke off. */
async function readBody(
  response: IncomingMessage,
  { takesBytewise }: Question,
): Promise<string | undefined> {
  try {
    let text = ''
    if (takesBytewise === true) return await readBytewise(response)
    for await (const bytes of response.setEncoding('latin1')) {
      text = (text + String(bytes)).slice(-KEPT_CHARACTERS)
    }
    return text
  } catch {
    return undefined
  }
}

function readBytewise(response: IncomingMessage): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let text = ''
  const timer = setInterval(() => {
    const byte: unknown = response.read(1)
    if (Buffer.isBuffer(byte)) text += byte.toString('latin1')
  }, BYTE_PAUSE_MS)
  const stop = (outcome: string | undefined): void => {
    clearInterval(timer)
    resolve(outcome)
  }
  response.on('end', () => stop(text))
  response.on('error', () => stop(undefined))
  response.on('close', () => stop(response.complete && response.readableEnded ? text : undefined))
  return promise
}
