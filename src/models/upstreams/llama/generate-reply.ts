import { randomInt } from 'node:crypto'
import type { EngineEnd, EnginePiece, EngineRequest, EngineUsage } from './engine-messages.ts'
import type { EngineFunctions, HistoryItem, ResponseChunk, Token } from './engine-package.ts'
import { BATCH_TOKENS, type LoadedModel, type Seat } from './load-model.ts'
import { writeFunctions } from './write-functions.ts'
import { writeHistory } from './write-history.ts'

export interface ReplyOutput {
  piece(piece: EnginePiece): void
  /** The arguments are JSON. */
  call(name: string, text: string): void
}

/** Where a caller says nothing of it. */
const TEMPERATURE = 0.8
/** What llama.cpp's own server picks from. */
const PICK = { topK: 40, topP: 0.95, minP: 0.05 }
/** As many as one message may have. */
const MAX_CALLS = 64

/** Thrown where the engine would cut the conversation, to make room for the rest of a reply. */
class ContextFull extends Error {}

/** Makes one reply, on a free seat. Never rejects: what went wrong is the end. */
export async function generateReply(
  loaded: LoadedModel,
  request: EngineRequest,
  signal: AbortSignal,
  output: ReplyOutput,
): Promise<EngineEnd> {
  try {
    const { functions, names } = writeFunctions(request.prompt.tools)
    const history = writeHistory(request.prompt.messages, names)
    const tokens = tokenize(loaded, history, functions)
    const seat = takeSeat(loaded, tokens)
    try {
      const room = seat.sequence.contextSize - 1 - tokens.length
      if (room < 1) return { kind: 'overflow', promptTokens: tokens.length }
      await readPrompt(seat, tokens, signal)
      const task = { request, history, functions, room, promptTokens: tokens.length, signal }
      const toCaller = (name: string, text: string): void => output.call(names.toCaller(name), text)
      return await generate(seat, task, { ...output, call: toCaller })
    } finally {
      loaded.free.push(seat)
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    // Not its message, which could quote what was said.
    return { kind: 'failed', reason: `the engine threw ${(error as Error).name}` }
  }
}

/** The prompt as the engine will read it, to the token. */
function tokenize(
  { model, seats }: LoadedModel,
  history: readonly HistoryItem[],
  functions: EngineFunctions | undefined,
): Token[] {
  const [seat] = seats
  if (!seat) throw new Error('no seats')
  const { chatWrapper } = seat.chat
  const { contextText } = chatWrapper.generateContextState({
    chatHistory: history,
    availableFunctions: functions,
    documentFunctionParams: functions !== undefined,
  })
  return contextText.tokenize(model.tokenizer)
}

/** The free one that has most of the prompt in its memory already: often the turn before was there. */
function takeSeat({ free }: LoadedModel, tokens: readonly Token[]): Seat {
  const known = ({ sequence }: Seat): number =>
    sequence.compareContextTokens(tokens).firstDifferentIndex
  const seat = free.toSorted((a, b) => known(b) - known(a))[0]
  if (!seat) throw new Error('no seat is free')
  free.splice(free.indexOf(seat), 1)
  return seat
}

/** A batch at a time: in between, others get their tokens, and who has left is noticed. */
async function readPrompt(
  { sequence }: Seat,
  tokens: readonly Token[],
  signal: AbortSignal,
): Promise<void> {
  // The engine must read the last one itself, to have something to go on from.
  const ahead = tokens.slice(0, -1)
  await sequence.adaptStateToTokens(ahead, false)
  while (sequence.nextTokenIndex < ahead.length) {
    signal.throwIfAborted()
    const from = sequence.nextTokenIndex
    await sequence.evaluateWithoutGeneratingNewTokens(ahead.slice(from, from + BATCH_TOKENS))
  }
}

interface Task {
  readonly request: EngineRequest
  readonly history: readonly HistoryItem[]
  readonly functions: EngineFunctions | undefined
  /** Tokens that are left in the context. */
  readonly room: number
  readonly promptTokens: number
  readonly signal: AbortSignal
}

async function generate(
  { sequence, chat }: Seat,
  { request, history, functions, room, promptTokens, signal }: Task,
  output: ReplyOutput,
): Promise<EngineEnd> {
  const { maxTokens, thinks, temperature = TEMPERATURE } = request
  const before = sequence.tokenMeter.usedOutputTokens
  const usage = (): EngineUsage => ({
    promptTokens,
    completionTokens: sequence.tokenMeter.usedOutputTokens - before,
  })
  const say = (part: EnginePiece['part'], text: string): void => {
    if (text !== '') output.piece({ part, text, usage: usage() })
  }
  try {
    const { metadata } = await chat.generateResponse(history, {
      signal,
      maxTokens: Math.min(maxTokens, room),
      temperature,
      ...PICK,
      seed: randomInt(2 ** 32),
      repeatPenalty: false,
      // What is left for thoughts must leave something for the answer.
      budgets: { thoughtTokens: thinks ? Math.floor(maxTokens / 2) : 0 },
      contextShift: { size: refuseShift },
      onResponseChunk: ({ segmentType, text }: ResponseChunk) =>
        say(segmentType === undefined ? 'content' : 'reasoning', text),
      ...(functions && {
        functions,
        documentFunctionParams: true,
        maxParallelFunctionCalls: MAX_CALLS,
        onFunctionCallParamsChunk: ({ paramsChunk }: { readonly paramsChunk: string }) =>
          say('tool_call', paramsChunk),
        onFunctionCall: ({ functionName, params }: FunctionCall) =>
          output.call(functionName, JSON.stringify(params ?? {})),
      }),
    })
    return { kind: 'finished', reason: finishReason(metadata.stopReason), usage: usage() }
  } catch (error) {
    if (!(error instanceof ContextFull)) throw error
    return { kind: 'finished', reason: 'length', usage: usage() }
  }
}

interface FunctionCall {
  readonly functionName: string
  readonly params: unknown
}

/** Whoever pays for a conversation must not find that a part of it was left out. */
function refuseShift(): never {
  throw new ContextFull()
}

function finishReason(reason: string): string {
  if (reason === 'maxTokens') return 'length'
  return reason === 'functionCalls' ? 'tool_calls' : 'stop'
}
