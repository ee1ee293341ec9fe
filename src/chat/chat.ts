import { Fault } from '#platform/fault.ts'
import { createShares } from '#platform/shares.ts'
import { admit, type AdmitTools } from './admit.ts'
import { complete } from './complete.ts'
import type { Arrival, Attempt, ChatCall, Exchange } from './exchange.ts'
import type { ReplySink } from './reply-sink.ts'
import { stream, type StreamTools } from './stream.ts'
import type { Completion } from './whole-reply.ts'

/** One completion: admit, call, relay, charge. The only room that brings money and tokens together. */
export interface Chat {
  /** Counts the request and holds the most that it can cost; a call that is not valid is a Fault. */
  admit(arrival: Arrival, asked: ChatCall | Fault): Promise<Attempt>
  /** The reply in one piece, once it is paid. Undefined where the client has left. */
  complete(exchange: Exchange): Promise<Completion | undefined>
  /** Sends the reply as it is made, and its end once it is paid. A Fault thrown has sent nothing yet. */
  stream(exchange: Exchange, sink: ReplySink): Promise<void>
  /** The client of this exchange has gone: the upstream is cancelled at once. */
  leave(exchange: Exchange): void
  /** How many exchanges are under way. */
  underWay(): number
  /** Resolves when those under way now are over: paid or given up. */
  idle(): Promise<void>
}

/** `identity` is the service's own system message; "{model}" in it becomes the model's id. */
export type ChatOptions = AdmitTools &
  Omit<StreamTools, 'keepAliveMs'> & {
    readonly keepAliveMs?: number
    /** Beyond so many exchanges at once new ones are refused: a queue would only grow. */
    readonly maxUnderWay?: number
    /** The same for one account, so that it cannot keep the others out. */
    readonly maxUnderWayOfOne?: number
  }

const KEEP_ALIVE_MS = 15_000
/** Each holds a socket on either side while it lasts. */
const MAX_UNDER_WAY = 4_096
const MAX_UNDER_WAY_OF_ONE = 1_024

export function createChat(options: ChatOptions): Chat {
  const { maxUnderWay = MAX_UNDER_WAY, maxUnderWayOfOne = MAX_UNDER_WAY_OF_ONE } = options
  const tools: StreamTools = { keepAliveMs: KEEP_ALIVE_MS, ...options }
  const underWay = new Set<Promise<unknown>>()
  const places = createShares({ total: maxUnderWay, each: maxUnderWayOfOne })

  /** A place is taken before anything is waited for: no two requests can take the same one. */
  async function admitToPlace(arrival: Arrival, asked: ChatCall | Fault): Promise<Attempt> {
    const place = places.take(arrival.accountId, 1)
    if (place !== 'taken') return admit(options, arrival, describeFull(place))
    let isAdmitted = false
    try {
      const attempt = await admit(options, arrival, asked)
      isAdmitted = attempt.kind === 'admitted'
      return attempt
    } finally {
      if (!isAdmitted) places.give(arrival.accountId, 1)
    }
  }

  function track<Result>({ arrival }: Exchange, work: Promise<Result>): Promise<Result> {
    const ended: Promise<unknown> = work
      .catch(() => {})
      .then(() => {
        underWay.delete(ended)
        places.give(arrival.accountId, 1)
      })
    underWay.add(ended)
    return work
  }

  return {
    admit: admitToPlace,
    complete: (exchange) => track(exchange, complete(tools, exchange)),
    stream: (exchange, sink) => track(exchange, stream(tools, exchange, sink)),
    underWay: () => underWay.size,
    idle: async () => void (await Promise.all(underWay)),
    leave(exchange) {
      exchange.left = true
      exchange.cancel.abort()
    },
  }
}

function describeFull(place: 'owner_has_its_share' | 'all_is_taken'): Fault {
  if (place === 'all_is_taken') {
    return new Fault('model_unavailable', 'The service is at its limit now; try again shortly.', {
      reason: 'too many exchanges are under way',
    })
  }
  return new Fault(
    'model_unavailable',
    'Too many requests of this account are under way; try again when some of them have ended.',
    { reason: 'too many exchanges of the account are under way' },
  )
}
