import { planAnswer } from './answer.ts'
import { dialects } from './dialects.ts'
import type { Exchange } from './exchange.ts'
import type { Reply } from './reply.ts'
import type { Ask } from './request.ts'

/** A reply whose bytes are made once and sent without waiting for anything. */
export interface Prepared {
  readonly headers: Readonly<Record<string, string>>
  readonly writes: readonly Buffer[]
  readonly sizeBytes: number
  readonly deltaCount: number
}

export interface PreparedReplies {
  /** Undefined where the reply depends on its request, on time or on a fault. */
  find(reply: Reply, ask: Ask): Prepared | undefined
}

export function createPreparedReplies(): PreparedReplies {
  const known = new WeakMap<Reply, Map<string, Prepared>>()
  return {
    find: (reply, ask) => {
      if (!isSteady(reply)) return undefined
      const forms = known.get(reply) ?? new Map<string, Prepared>()
      known.set(reply, forms)
      const form = `${ask.stream} ${ask.includeUsage} ${ask.continuousUsage}`
      const prepared = forms.get(form) ?? prepareReply(reply, ask)
      forms.set(form, prepared)
      return prepared
    },
  }
}

/** The bytes of a reply without faults, each buffer as it is to be written. */
export function prepareReply(reply: Reply, ask: Ask): Prepared {
  const answer = planAnswer(reply, ask, {})
  const parts = [...answer.parts]
  const writes = parts.map(({ bytes }) => bytes).filter((bytes) => bytes.length > 0)
  const deltaCount = parts
    .flatMap(({ reaches }) => reaches)
    .filter((reached) => reached.startsWith('after-delta-')).length
  const sizeBytes = writes.reduce((sum, bytes) => sum + bytes.length, 0)
  if (ask.stream) return { headers: answer.headers, writes, sizeBytes, deltaCount }
  const isWhole = reply.framing?.splitAtBytes === undefined
  return {
    headers: { ...answer.headers, 'content-length': String(sizeBytes) },
    writes: isWhole ? [Buffer.concat(writes)] : writes,
    sizeBytes,
    deltaCount,
  }
}

export function sendPrepared(prepared: Prepared, exchange: Exchange): void {
  const { response } = exchange
  response.writeHead(200, prepared.headers)
  for (const bytes of prepared.writes.slice(0, -1)) response.write(bytes)
  response.end(prepared.writes.at(-1))
  exchange.countBytes(prepared.sizeBytes)
  exchange.countDeltas(prepared.deltaCount)
}

function isSteady(reply: Reply): boolean {
  const { fault, pauses, pace, dialect } = reply
  const isFree = fault === undefined && pauses === undefined && pace === undefined
  return isFree && dialects[dialect ?? 'openai'].refuse === undefined
}
