import { splitWords } from './content.ts'
import type { DialectRules } from './dialects.ts'
import type { Point } from './reply.ts'
import type { Ask } from './request.ts'
import { planToolCallDeltas } from './tool-calls.ts'
import { nameFinish, replyIdentity, type Turn } from './turn.ts'
import { describeUsage, describeUsageSoFar } from './usage.ts'

/** One event of a stream before it is framed. An empty one only marks a point. */
export interface StreamEvent {
  readonly kind: 'data' | 'comment' | 'mark'
  readonly text: string
  readonly reaches: Point | undefined
}

/** The events of a reply's stream, in its dialect, made one by one as they are sent. */
export function* makeStreamEvents(turn: Turn): Generator<StreamEvent> {
  const { reply, ask, rules } = turn
  const writeChunk = createChunkWriter(turn)
  yield mark('after-head')
  if (rules.comment !== undefined) {
    yield { kind: 'comment', text: rules.comment, reaches: undefined }
  }
  if (rules.opening !== undefined) yield data(writeChunk(rules.opening, 0), undefined)

  let deltaCount = 0
  for (const delta of makeDeltas(turn)) {
    deltaCount += 1
    const chunk = writeChunk({ ...rules.deltaBase, ...delta }, deltaCount)
    yield data(chunk, `after-delta-${deltaCount}`)
  }

  yield data(writeChunk(rules.closingDelta, deltaCount, nameFinish(reply)), 'after-finish')
  if (rules.usagePlace === 'own-chunk' && showsUsage(rules, ask)) {
    const usage = describeUsage(reply, deltaCount)
    if (usage !== undefined) yield data({ ...writeEnvelope(rules), choices: [], usage }, undefined)
  }
  yield mark('before-done')
  yield { kind: 'data', text: '[DONE]', reaches: undefined }
}

function* makeDeltas(turn: Turn): Generator<object> {
  const { reply, rules, content: planned } = turn
  for (const text of splitWords(reply.reasoning ?? '')) yield rules.reasoning(text)
  for (const content of planned.texts) yield { content }
  for (const toolCall of planToolCallDeltas(reply, rules)) yield { tool_calls: [toolCall] }
}

type WriteChunk = (delta: object, deltaCount: number, finish?: string) => object

function createChunkWriter(turn: Turn): WriteChunk {
  const envelope = writeEnvelope(turn.rules)
  return (delta, deltaCount, finish) => ({
    ...envelope,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }],
    ...describeChunkUsage(turn, deltaCount, finish !== undefined),
  })
}

function describeChunkUsage(turn: Turn, deltaCount: number, isFinish: boolean): object {
  const { reply, ask, rules } = turn
  if (reply.usage === 'none') return {}
  if (rules.continuousUsage && ask.continuousUsage) {
    return { usage: describeUsageSoFar(reply, deltaCount) }
  }
  if (isFinish && rules.usagePlace === 'with-finish' && showsUsage(rules, ask)) {
    return { usage: describeUsage(reply, deltaCount) }
  }
  return rules.nullUsage && ask.includeUsage ? { usage: null } : {}
}

function showsUsage(rules: DialectRules, ask: Ask): boolean {
  return rules.usageWhen === 'always' || ask.includeUsage
}

function writeEnvelope(rules: DialectRules): object {
  return { ...replyIdentity, object: 'chat.completion.chunk', ...rules.envelope }
}

function data(chunk: object, reaches: Point | undefined): StreamEvent {
  return { kind: 'data', text: JSON.stringify(chunk), reaches }
}

function mark(reaches: Point): StreamEvent {
  return { kind: 'mark', text: '', reaches }
}
