import { Fault } from '#platform/fault.ts'
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
  StreamTools & {
    /** Beyond so many exchanges at once new ones are refused: a queue would only grow. */
    readonly maxUnderWay: number
  }

export function createChat(options: ChatOptions): Chat {
  const underWay = new Set<Promise<unknown>>()

  function track<Result>(work: Promise<Result>): Promise<Result> {
    const ended: Promise<unknown> = work.catch(() => {}).then(() => underWay.delete(ended))
    underWay.add(ended)
    return work
  }

  return {
    admit(arrival, asked) {
      const isFull = underWay.size >= options.maxUnderWay
      return admit(options, arrival, isFull ? describeFull() : asked)
    },
    complete: (exchange) => track(complete(options, exchange)),
    stream: (exchange, sink) => track(stream(options, exchange, sink)),
    underWay: () => underWay.size,
    idle: async () => void (await Promise.all(underWay)),
    leave(exchange) {
      exchange.left = true
      exchange.cancel.abort()
    },
  }
}

function describeFull(): Fault {
  return new Fault('model_unavailable', 'The service is at its limit now; try again shortly.', {
    reason: 'too many exchanges are under way',
  })
}
