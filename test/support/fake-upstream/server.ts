import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerJson, planAnswer } from './answer.ts'
import { systemClock, type Clock } from './clock.ts'
import { openaiError } from './dialect-errors.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { performAnswer } from './perform-answer.ts'
import { createPreparedReplies, sendPrepared } from './prepared.ts'
import type { Reply } from './reply.ts'
import { readAsk, type ChatBody, type RecordedRequest } from './request.ts'

export interface FakeUpstream {
  /** Ends in `/v1`. */
  readonly url: string
  /** Every request, in the order in which their bodies arrived, up to the limit. */
  readonly requests: readonly RecordedRequest[]
  /** The request of that place, counted from 0, as soon as it has arrived. */
  request(index: number): Promise<RecordedRequest>
  /** Sets the next replies; what was still to come of an earlier script is dropped. */
  play(script: Script): void
  /**
   * Ends everything, open sockets and unfinished replies included. Throws what went wrong in a
   * script, such as a fault at a point that its reply never came to.
   */
  close(): Promise<void>
}

/** A reply to every request, replies in turn of which the last repeats, or a choice by request. */
export type Script = Reply | readonly Reply[] | ((request: RecordedRequest) => Reply)

export interface FakeUpstreamOptions {
  readonly clock?: Clock
  /** Default: `fake-model`. */
  readonly models?: readonly string[]
  /** What the list of models tells of each besides, such as `max_model_len`. */
  readonly modelTraits?: object
  /** What the list is refused with. */
  readonly modelsStatus?: number
  /** Closes each connection after its answer. */
  readonly closesConnections?: boolean
  /** Later requests are answered but not recorded. Default: 10 000. */
  readonly recordLimit?: number
}

interface State {
  readonly requests: RecordedRequest[]
  readonly awaited: Map<number, PromiseWithResolvers<RecordedRequest>>
  readonly problems: unknown[]
  readonly open: Set<Exchange>
  readonly options: Required<FakeUpstreamOptions>
  readonly answerChat: (exchange: Exchange) => Promise<void>
}

export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const clock = options.clock ?? systemClock
  const prepared = createPreparedReplies()
  let chooseReply = readScript({ content: 'Hello there' })

  const answerChat = async (exchange: Exchange): Promise<void> => {
    const reply = chooseReply(exchange.record)
    const ask = readAsk(exchange.record.body)
    const steady = prepared.find(reply, ask)
    if (steady !== undefined) return sendPrepared(steady, exchange)
    await performAnswer(planAnswer(reply, ask, exchange.record.body), reply, exchange, clock)
  }

  const state: State = {
    requests: [],
    awaited: new Map(),
    problems: [],
    open: new Set(),
    options: {
      clock,
      models: ['fake-model'],
      modelTraits: {},
      modelsStatus: 200,
      closesConnections: false,
      recordLimit: 10_000,
      ...options,
    },
    answerChat,
  }
  const server = createServer((request, response) => receiveRequest(request, response, state))
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: state.requests,
    request: (index) => awaitRequest(state, index),
    play: (script) => {
      chooseReply = readScript(script)
    },
    close: () => closeServer(server, state),
  }
}

function readScript(script: Script): (request: RecordedRequest) => Reply {
  if (typeof script === 'function') return script
  // Array.isArray does not tell a readonly array from the rest of a union.
  const replies = Array.isArray(script) ? (script as readonly Reply[]) : [script as Reply]
  let next = 0
  return () => {
    const reply = replies[Math.min(next, replies.length - 1)]
    if (reply === undefined) throw new Error('the script has no replies')
    next += 1
    return reply
  }
}

function receiveRequest(request: IncomingMessage, response: ServerResponse, state: State): void {
  const chunks: Buffer[] = []
  if (state.options.closesConnections) response.shouldKeepAlive = false
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = readBody(chunks)
    const exchange = createExchange(request, response, body ?? {}, state.options.clock)
    recordRequest(exchange, state)
    answerRequest(exchange, body, state).catch((problem: unknown) => {
      state.problems.push(problem)
      exchange.breakOff('reset')
    })
  })
}

function recordRequest(exchange: Exchange, state: State): void {
  state.open.add(exchange)
  exchange.response.once('close', () => state.open.delete(exchange))
  if (state.requests.length >= state.options.recordLimit) return
  state.requests.push(exchange.record)
  state.awaited.get(state.requests.length - 1)?.resolve(exchange.record)
}

async function answerRequest(
  exchange: Exchange,
  body: ChatBody | undefined,
  state: State,
): Promise<void> {
  const route = `${exchange.record.method} ${exchange.record.path}`
  if (route === 'GET /v1/models') {
    const { models, modelTraits, modelsStatus } = state.options
    if (modelsStatus !== 200) {
      return sendJson(exchange, modelsStatus, openaiError(modelsStatus, 'No models for you'))
    }
    const data = models.map((id) => ({ id, object: 'model', owned_by: 'fake', ...modelTraits }))
    return sendJson(exchange, 200, { object: 'list', data })
  }
  if (route !== 'POST /v1/chat/completions') {
    return sendJson(exchange, 404, openaiError(404, `Unknown request: ${route}`))
  }
  if (body === undefined) return sendJson(exchange, 400, openaiError(400, 'Not a JSON object'))
  await state.answerChat(exchange)
}

async function sendJson(exchange: Exchange, status: number, body: object): Promise<void> {
  await performAnswer(answerJson(status, body), {}, exchange, systemClock)
}

function readBody(chunks: readonly Buffer[]): ChatBody | undefined {
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof body === 'object' && body !== null ? (body as ChatBody) : undefined
  } catch {
    return undefined
  }
}

function awaitRequest(state: State, index: number): Promise<RecordedRequest> {
  const arrived = state.requests[index]
  if (arrived !== undefined) return Promise.resolve(arrived)
  const awaited = state.awaited.get(index) ?? Promise.withResolvers<RecordedRequest>()
  state.awaited.set(index, awaited)
  return awaited.promise
}

async function closeServer(server: Server, state: State): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const exchange of state.open) exchange.breakOff('cut')
  server.closeAllConnections()
  await closed
  if (state.problems.length > 0) {
    throw new AggregateError(state.problems, 'the script of a fake upstream went wrong')
  }
}
