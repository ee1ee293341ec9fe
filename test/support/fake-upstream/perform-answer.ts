import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import type { Clock } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { isAt, type Part, type Reached } from './parts.ts'
import type { Pace, Reply } from './reply.ts'

/** A fast reader never makes us wait, so we let others run each time so many parts are sent. */
const partsPerTurn = 64

/**
 * Plays an answer to its end, its fault or the client's leaving. Throws where the script names a
 * point that the reply never came to: such a test would prove nothing.
 */
export async function performAnswer(
  answer: Answer,
  reply: Reply,
  exchange: Exchange,
  clock: Clock,
): Promise<void> {
  const { response } = exchange
  const pending = new Set([...(reply.pauses ?? []), ...(answer.stop ? [answer.stop] : [])])

  const arrive = async (reached: Reached): Promise<'on' | 'over'> => {
    for (const pause of reply.pauses ?? []) {
      if (!isAt(pause.at, reached)) continue
      pending.delete(pause)
      await Promise.race([pause.until, exchange.closed])
    }
    if (exchange.isClosed()) return 'over'
    const { stop } = answer
    if (stop === undefined || !isAt(stop.at, reached)) return 'on'
    pending.delete(stop)
    await stopHere(stop.how, exchange)
    return 'over'
  }

  const send = async (part: Part): Promise<'on' | 'over'> => {
    const deltas = part.reaches.filter((reached) => reached.startsWith('after-delta-')).length
    await keepPace(part, deltas, reply.pace ?? {}, exchange, clock)
    if (exchange.isClosed()) return 'over'
    if (part.bytes.length > 0) await exchange.write(part.bytes)
    exchange.countDeltas(deltas)
    for (const reached of part.reaches) {
      if ((await arrive(reached)) === 'over') return 'over'
    }
    return 'on'
  }

  await sleep(reply.pace?.beforeHeadMs ?? 0, exchange, clock)
  if ((await arrive('before-head')) === 'over') return
  response.writeHead(answer.status, answer.headers)
  response.flushHeaders()
  let partCount = 0
  for (const part of answer.parts) {
    if ((await send(part)) === 'over') return
    partCount += 1
    if (partCount % partsPerTurn === 0) await nextTurn()
  }
  response.end()
  if (pending.size > 0) {
    const points = [...pending].map(({ at }) => at).join(', ')
    throw new Error(`the reply never came to these points of its script: ${points}`)
  }
}

async function stopHere(how: 'reset' | 'cut' | 'hang' | 'end', exchange: Exchange): Promise<void> {
  switch (how) {
    case 'hang':
      return exchange.closed
    case 'end':
      exchange.response.end()
      return
    case 'reset':
    case 'cut':
      // What was written must be on its way first, or it would vanish with the socket.
      await flush(exchange)
      exchange.breakOff(how)
  }
}

async function flush(exchange: Exchange): Promise<void> {
  const { socket } = exchange.response
  if (socket === null || !exchange.response.headersSent) return
  const written = new Promise<void>((resolve) => socket.write('', () => resolve()))
  await Promise.race([written, exchange.closed])
}

async function keepPace(
  part: Part,
  deltas: number,
  pace: Pace,
  exchange: Exchange,
  clock: Clock,
): Promise<void> {
  if (part.bytes.length === 0) return
  if (pace.beforeByteMs !== undefined) await sleep(pace.beforeByteMs, exchange, clock)
  if (deltas > 0) await sleep((pace.beforeDeltaMs ?? 0) * deltas, exchange, clock)
}

/** Ends early when the exchange is closed. */
async function sleep(durationMs: number, exchange: Exchange, clock: Clock): Promise<void> {
  if (durationMs === 0) return
  const waking = new AbortController()
  const slept = clock.sleep(durationMs, waking.signal)
  try {
    await Promise.race([slept, exchange.closed])
  } finally {
    waking.abort()
    await slept.catch(() => undefined)
  }
}
