import type { ReplyTo } from '../../api/client.ts'

export type ConsoleModel = ReplyTo<'get /console/api/models'>['data'][number]
export type Brand = ConsoleModel['brand']

/** A request of the model to run a function, whole. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
}

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
  readonly finishReason: string | undefined
  /** Once the service has taken the request. */
  readonly requestId: string | undefined
  readonly problem: Error | undefined
}

export type Turn = UserTurn | ResultTurn | ReplyTurn

export type Change =
  | { readonly kind: 'asked'; readonly turns: readonly Turn[]; readonly reply: ReplyTurn }
  | { readonly kind: 'accepted'; readonly replyId: number; readonly requestId: string | undefined }
  | { readonly kind: 'came'; readonly replyId: number; readonly piece: Piece }
  | { readonly kind: 'ended'; readonly replyId: number; readonly state: ReplyTurn['state'] }
  | { readonly kind: 'failed'; readonly replyId: number; readonly problem: Error }
  | { readonly kind: 'cleared' }

/** What one event of the stream adds. */
export interface Piece {
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: string | undefined
}

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
        isReply(turn, change.replyId) ? addPiece(turn, change.piece) : turn,
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

function addPiece(reply: ReplyTurn, piece: Piece): ReplyTurn {
  return {
    ...reply,
    content: reply.content + piece.content,
    reasoning: reply.reasoning + piece.reasoning,
    toolCalls: [...reply.toolCalls, ...piece.toolCalls],
    finishReason: piece.finishReason ?? reply.finishReason,
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
