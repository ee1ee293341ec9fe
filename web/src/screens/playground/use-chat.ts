import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef } from 'react'
import { Problem } from '../../api/client.ts'
import { useAccountId } from '../../api/chosen-account.tsx'
import { beginReply, changeTurns, type Change, type ToolCall, type Turn } from './conversation.ts'
import { openStream } from './open-stream.ts'
import { readStream } from './read-stream.ts'
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
    const body = writeBody(settings, takesTools, history)
    await relay({ replyId: reply.id, change, signal: controller.signal }, (signal) =>
      openStream({ accountId, brand, body }, signal),
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
  open: (signal: AbortSignal) => ReturnType<typeof openStream>,
): Promise<void> {
  try {
    const { requestId, body } = await open(signal)
    change({ kind: 'accepted', replyId, requestId })
    for await (const piece of readStream(body)) change({ kind: 'came', replyId, piece })
    change({ kind: 'ended', replyId, state: 'complete' })
  } catch (error) {
    if (signal.aborted) change({ kind: 'ended', replyId, state: 'stopped' })
    else change({ kind: 'failed', replyId, problem: toProblem(error) })
  }
}

function toProblem(error: unknown): Error {
  if (error instanceof Problem) return error
  // The network's own words differ from browser to browser, and say less.
  if (error instanceof TypeError || error instanceof DOMException) {
    return new Problem('stream_broken', 'The connection broke off.')
  }
  return error instanceof Error ? error : new Error(String(error))
}
