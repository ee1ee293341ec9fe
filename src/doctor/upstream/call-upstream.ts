import type {
  ReplyEvent,
  ReportedUsage,
  ToolCall,
  Upstream,
  UpstreamFailure,
  UpstreamRequest,
} from '#models/index.ts'

/** All that one request brought, as the service would have seen it. */
export interface Reply {
  readonly failure: UpstreamFailure | undefined
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
  readonly usage: ReportedUsage | undefined
  /** How often usage came. */
  readonly usages: number
  readonly finish: string | undefined
  /** How many pieces of text it came in. */
  readonly pieces: number
  /** From the request to the first event. */
  readonly firstMs: number
  /** From the first event to the end. */
  readonly restMs: number
}

export interface Patience {
  /** For the whole reply. */
  readonly timeoutMs: number
  /** Leaves after so many pieces, as a caller does who has read enough. */
  readonly leaveAfter?: number
}

type Draft = { -readonly [Key in keyof Reply]: Reply[Key] }

/** Asks by the code that the service asks by. Never throws: how it failed is in the reply. */
export async function callUpstream(
  upstream: Upstream,
  request: UpstreamRequest,
  { timeoutMs, leaveAfter = Infinity }: Patience,
): Promise<Reply> {
  const leaving = new AbortController()
  const reply: Draft = {
    failure: undefined,
    content: '',
    reasoning: '',
    calls: [],
    usage: undefined,
    usages: 0,
    finish: undefined,
    pieces: 0,
    firstMs: 0,
    restMs: 0,
  }
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    reply.failure = { kind: 'timeout', reason: `not ended within ${timeoutMs / 1_000} s` }
    leaving.abort()
    resolve()
  }, timeoutMs)
  const startedMs = performance.now()
  const opening = await upstream.open(request, leaving.signal)
  const openedMs = performance.now()
  reply.firstMs = openedMs - startedMs
  if (opening.kind === 'failed') {
    reply.failure ??= opening.failure
    resolve()
  } else {
    opening.reply.read({
      onEvent(event) {
        take(reply, event)
        if (reply.pieces < leaveAfter) return
        leaving.abort()
        resolve()
      },
      onEnd(failure) {
        reply.failure = failure
        resolve()
      },
    })
  }
  await ended
  clearTimeout(timer)
  reply.restMs = performance.now() - openedMs
  return reply
}

function take(reply: Draft, event: ReplyEvent): void {
  switch (event.kind) {
    case 'content':
      reply.content += event.text
      reply.pieces += 1
      return
    case 'reasoning':
      reply.reasoning += event.text
      reply.pieces += 1
      return
    case 'tool_call_piece':
      reply.pieces += 1
      return
    case 'tool_call':
      reply.calls = [...reply.calls, event.call]
      return
    case 'usage':
      reply.usage = event.usage
      reply.usages += 1
      return
    case 'finish':
      reply.finish = event.reason
  }
}
