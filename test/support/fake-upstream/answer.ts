import { makeCompletionParts } from './completion.ts'
import { repeatText } from './content.ts'
import { dialects } from './dialects.ts'
import {
  coalesceParts,
  frameEvents,
  headPart,
  isAt,
  joinParts,
  splitParts,
  type Part,
  type Reached,
} from './parts.ts'
import type { BodyPoint, Fault, Point, Reply } from './reply.ts'
import type { Ask, ChatBody } from './request.ts'
import { makeStreamEvents, type StreamEvent } from './stream-events.ts'
import { planTurn, type Turn } from './turn.ts'

/** What goes over the wire for one request, with the way it breaks off, if it does. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly parts: Iterable<Part>
  readonly stop: Stop | undefined
}

export interface Stop {
  readonly at: Point
  readonly how: 'reset' | 'cut' | 'hang' | 'end'
}

const pieceBytes = 16 * 1024

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
}

export const jsonHeaders = { 'content-type': 'application/json' }

export function planAnswer(reply: Reply, ask: Ask, body: ChatBody): Answer {
  const rules = dialects[reply.dialect ?? 'openai']
  const refused = rules.refuse?.(body)
  if (refused !== undefined) return answerJson(refused.status, refused.body)
  return reply.fault === undefined
    ? answerTurn(planTurn(reply, ask))
    : answerWithFault(reply, reply.fault, ask)
}

function answerWithFault(reply: Reply, fault: Fault, ask: Ask): Answer {
  const rules = dialects[reply.dialect ?? 'openai']
  switch (fault.kind) {
    case 'status':
      return answerJson(
        fault.status,
        fault.body ?? rules.error(fault.status, `The fake upstream fails with ${fault.status}.`),
        fault.headers,
      )
    case 'context-overflow': {
      const { promptTokens = 9000, contextTokens = 8192 } = fault
      const { status, body } = rules.overflow(promptTokens, contextTokens)
      return answerJson(status, body)
    }
    case 'html':
      return answerBytes(fault.status ?? 200, { 'content-type': 'text/html' }, htmlPage)
    case 'not-the-format':
      return answerJson(200, fault.body ?? { hello: 'world' })
    case 'empty-body':
      return answerBytes(200, ask.stream ? streamHeaders : jsonHeaders, '')
    case 'truncated-body':
      return truncateAnswer(answerTurn(planTurn(reply, ask)))
    case 'reset':
    case 'cut':
    case 'hang':
    case 'end':
      return answerTurn(planTurn(reply, ask), { at: fault.at, how: fault.kind })
    case 'malformed-event': {
      const text = fault.data ?? '{"choices":[{"index":0,"delta":{"content":"bro'
      return answerWithEvent(planTurn(reply, ask), { at: fault.at, text, isLast: false })
    }
    case 'error-event': {
      const error = rules.error(500, 'The fake upstream fails in mid-stream.')
      const text = JSON.stringify('error' in error ? error : { error })
      return answerWithEvent(planTurn(reply, ask), { at: fault.at, text, isLast: true })
    }
    case 'overrun':
      return answerTurn(
        planTurn(reply, ask, repeatText('word ', ask.maxTokens + fault.extraTokens)),
      )
    case 'endless':
      return answerTurn(planTurn(reply, ask, repeatText('word ', Infinity)))
    case 'huge-delta':
      return answerTurn(planTurn(reply, ask, repeatText('x'.repeat(fault.sizeBytes), 1)))
    case 'huge-reply': {
      const count = Math.ceil(fault.sizeBytes / pieceBytes)
      return answerTurn(planTurn(reply, ask, repeatText('x'.repeat(pieceBytes), count)))
    }
  }
}

function answerTurn(turn: Turn, stop?: Stop): Answer {
  if (turn.ask.stream) return answerEvents(turn.reply, makeStreamEvents(turn), stop)
  const parts = shapeParts(makeCompletionParts(turn), turn.reply, stop)
  return { status: 200, headers: jsonHeaders, parts, stop }
}

function answerWithEvent(turn: Turn, event: InsertedEvent): Answer {
  if (!turn.ask.stream) return answerBytes(200, jsonHeaders, event.text)
  return answerEvents(turn.reply, insertEvent(makeStreamEvents(turn), event))
}

interface InsertedEvent {
  readonly at: BodyPoint
  readonly text: string
  readonly isLast: boolean
}

function* insertEvent(
  events: Iterable<StreamEvent>,
  { at, text, isLast }: InsertedEvent,
): Generator<StreamEvent> {
  let isInserted = false
  for (const event of events) {
    yield event
    if (event.reaches !== at) continue
    yield { kind: 'data', text, reaches: undefined }
    if (isLast) return
    isInserted = true
  }
  if (!isInserted) throw new Error(`the reply never came to this point of its script: ${at}`)
}

function answerEvents(reply: Reply, events: Iterable<StreamEvent>, stop?: Stop): Answer {
  const parts = shapeParts(frameEvents(events, reply.framing ?? {}), reply, stop)
  return { status: 200, headers: streamHeaders, parts, stop }
}

function shapeParts(parts: Iterable<Part>, reply: Reply, stop: Stop | undefined): Iterable<Part> {
  const { coalesce, splitAtBytes } = reply.framing ?? {}
  const points = [...(reply.pauses ?? []), ...(stop === undefined ? [] : [stop])].map(
    ({ at }) => at,
  )
  const isEventful = (reached: Reached): boolean => points.some((point) => isAt(point, reached))
  const offsets = reply.pace?.beforeByteMs === undefined ? splitAtBytes : 'every'
  const joined = coalesce === undefined ? parts : coalesceParts(parts, coalesce, isEventful)
  return offsets === undefined ? joined : splitParts(joined, offsets)
}

function truncateAnswer(answer: Answer): Answer {
  const { bytes } = joinParts([...answer.parts])
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  return { ...answer, parts: [headPart, { bytes: half, reaches: ['middle'] }] }
}

export function answerJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return answerBytes(status, { ...jsonHeaders, ...headers }, JSON.stringify(body))
}

function answerBytes(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): Answer {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
    parts: [headPart, { bytes, reaches: ['middle'] }],
    stop: undefined,
  }
}

const htmlPage = '<!doctype html><title>Bad gateway</title><h1>Please come back later</h1>\n'
