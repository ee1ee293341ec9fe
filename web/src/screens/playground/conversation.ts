import type { ChatCompletionChunk, FinishReason, ToolCall } from 'parley-client'
import type { ReplyTo } from '../../api/client.ts'

export type ConsoleModel = ReplyTo<'get /console/api/models'>['data'][number]
export type Brand = ConsoleModel['brand']

export interface UserTurn {
  readonly kind: 'user'
  readonly id: number
  readonly content: string
}

/** What somebody says that a function gave. */
export interface ResultTurn {
  readonly kind: 'result'
  readonly id: number
  readonly call: ToolCall
  readonly content: string
}

export interface ReplyTurn {
  readonly kind: 'reply'
  readonly id: number
  readonly brand: Brand
  readonly state: 'under_way' | 'complete' | 'stopped' | 'failed'
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: FinishReason | undefined
  /** Once the service has taken the request. */
  readonly requestId: string | undefined
  readonly problem: Error | undefined
}

export type Turn = UserTurn | ResultTurn | ReplyTurn

export type Change =
  | { readonly kind: 'asked'; readonly turns: readonly Turn[]; readonly reply: ReplyTurn }
  | { readonly kind: 'accepted'; readonly replyId: number; readonly requestId: string | undefined }
  | { readonly kind: 'came'; readonly replyId: number; readonly chunk: ChatCompletionChunk }
  | { readonly kind: 'ended'; readonly replyId: number; readonly state: ReplyTurn['state'] }
  | { readonly kind: 'failed'; readonly replyId: number; readonly problem: Error }
  | { readonly kind: 'cleared' }

export function beginReply(id: number, brand: Brand): ReplyTurn {
  return {
    kind: 'reply',
    id,
    brand,
    state: 'under_way',
    content: '',
    reasoning: '',
    toolCalls: [],
    finishReason: undefined,
    requestId: undefined,
    problem: undefined,
  }
}

export function changeTurns(turns: readonly Turn[], change: Change): readonly Turn[] {
  switch (change.kind) {
    case 'asked':
      return [...change.turns, change.reply]
    case 'cleared':
      return []
    case 'accepted':
      return changeReply(turns, change.replyId, { requestId: change.requestId })
    case 'ended':
      return changeReply(turns, change.replyId, { state: change.state })
    case 'failed':
      return changeReply(turns, change.replyId, { state: 'failed', problem: change.problem })
    case 'came':
      return turns.map((turn) =>
        isReply(turn, change.replyId) ? addChunk(turn, change.chunk) : turn,
      )
  }
}

function changeReply(
  turns: readonly Turn[],
  replyId: number,
  changed: Partial<ReplyTurn>,
): readonly Turn[] {
  return turns.map((turn) => (isReply(turn, replyId) ? { ...turn, ...changed } : turn))
}

function isReply(turn: Turn, replyId: number): turn is ReplyTurn {
  return turn.kind === 'reply' && turn.id === replyId
}

function addChunk(reply: ReplyTurn, { choices: [choice] }: ChatCompletionChunk): ReplyTurn {
  const { content, reasoning_content: reasoning, tool_calls: calls = [] } = choice?.delta ?? {}
  return {
    ...reply,
    content: reply.content + (content ?? ''),
    reasoning: reply.reasoning + (reasoning ?? ''),
    // Their places are those in the list.
    toolCalls: [...reply.toolCalls, ...calls.map(({ index: _place, ...call }) => call)],
    finishReason: choice?.finish_reason ?? reply.finishReason,
  }
}

/** The tool calls that wait for their results before anything else can be said. */
export function findOpenCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.at(-1)
  if (last?.kind !== 'reply' || last.state === 'under_way' || last.state === 'failed') return []
  return last.toolCalls
}

/** What the conversation was before its last reply, to ask once more. */
export function withoutLastReply(turns: readonly Turn[]): readonly Turn[] {
  return turns.at(-1)?.kind === 'reply' ? turns.slice(0, -1) : turns
}
