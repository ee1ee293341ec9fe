import { useQueryClient } from '@tanstack/react-query'
import type { ReplyStream, ToolCall } from 'parley-client'
import { useEffect, useReducer, useRef } from 'react'
import { Problem } from '../../api/client.ts'
import { useAccountId } from '../../api/chosen-account.tsx'
import { tellSignedOut } from '../../api/signed-out.ts'
import { beginReply, changeTurns, type Change, type Turn } from './conversation.ts'
import { openReply } from './open-reply.ts'
import { toProblem } from './to-problem.ts'
import { writeBody, type Settings } from './write-body.ts'

export interface Chat {
  readonly turns: readonly Turn[]
  readonly isUnderWay: boolean
  say(content: string): void
  answerCalls(results: readonly { readonly call: ToolCall; readonly content: string }[]): void
  /** Asks once more what the last reply was to. */
  retry(turns: readonly Turn[]): void
  stop(): void
  clear(): void
}

/** The conversation: it lives here alone, and as long as the screen does. */
export function useChat(settings: Settings, takesTools: boolean): Chat {
  const accountId = useAccountId()
  const queries = useQueryClient()
  const [turns, change] = useReducer(changeTurns, [])
  const stream = useRef<AbortController>(undefined)
  const ids = useRef(0)
  useEffect(() => () => stream.current?.abort(), [])
  const nextId = (): number => (ids.current += 1)

  async function ask(history: readonly Turn[]): Promise<void> {
    const controller = new AbortController()
    stream.current = controller
    const reply = beginReply(nextId(), settings.brand)
    change({ kind: 'asked', turns: history, reply })
    const { brand } = settings
    const request = writeBody(settings, takesTools, history)
    await relay({ replyId: reply.id, change, signal: controller.signal }, (signal) =>
      openReply({ accountId, brand, request }, signal),
    )
    // What it cost has changed balance, use and requests, whoever looks at them next.
    await queries.invalidateQueries({ refetchType: 'none' })
  }

  return {
    turns,
    isUnderWay: turns.some((turn) => turn.kind === 'reply' && turn.state === 'under_way'),
    say: (content) => void ask([...turns, { kind: 'user', id: nextId(), content }]),
    answerCalls: (results) =>
      void ask([
        ...turns,
        ...results.map((result) => ({ kind: 'result', id: nextId(), ...result }) as const),
      ]),
    retry: (history) => void ask(history),
    stop: () => stream.current?.abort(),
    clear() {
      stream.current?.abort()
      change({ kind: 'cleared' })
    },
  }
}

interface Relay {
  readonly replyId: number
  readonly change: (change: Change) => void
  readonly signal: AbortSignal
}

/** Passes a reply on as it comes, to its end, its failure, or where it is stopped. */
async function relay(
  { replyId, change, signal }: Relay,
  open: (signal: AbortSignal) => Promise<ReplyStream>,
): Promise<void> {
  try {
    const stream = await open(signal)
    change({ kind: 'accepted', replyId, requestId: stream.requestId || undefined })
    for await (const chunk of stream) change({ kind: 'came', replyId, chunk })
    change({ kind: 'ended', replyId, state: 'complete' })
  } catch (error) {
    if (signal.aborted) return change({ kind: 'ended', replyId, state: 'stopped' })
    const problem = toProblem(error)
    if (problem instanceof Problem && problem.code === 'not_signed_in') tellSignedOut()
    change({ kind: 'failed', replyId, problem })
  }
}
