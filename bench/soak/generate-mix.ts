import { Pool } from 'undici'
import { createReplyCheck } from '../chat/check-replies.ts'
import { send } from '../chat/generate-load.ts'
import { costOf, findWorkload, writeBody, type Workload } from '../chat/workload.ts'

export interface Mix {
  readonly requests: number
  readonly concurrency: number
}

/** What became of the requests, and what the books must have of it. */
export interface Mixed {
  readonly whole: number
  readonly streams: number
  readonly left: number
  readonly refused: number
  readonly costNano: number
  /** The most that those who left can have been charged in addition. */
  readonly leftCostNano: number
  readonly elapsedMs: number
}

/** Of so many requests one is refused, and the client of one stream leaves midway. */
const ODD_EVERY = 200
const REFUSED_AT = 100
const LEFT_AT = 101

const json = findWorkload('JSON')
const sse = findWorkload('SSE')

/** Half the requests ask for a stream; each reply that is whole is checked to its last byte. */
export function createMixer(origin: string, keys: readonly string[]) {
  const checks = { JSON: createReplyCheck(json), SSE: createReplyCheck(sse) }
  let pool: Pool | undefined
  let sent = 0

  function describe(body: string) {
    const authorization = `Bearer ${keys[sent % keys.length]}`
    const headers = { 'content-type': 'application/json', authorization }
    return { path: '/v1/chat/air', method: 'POST' as const, headers, body }
  }

  return async function mix({ requests, concurrency }: Mix): Promise<Mixed> {
    pool ??= new Pool(origin, { connections: concurrency, keepAliveTimeout: 60_000 })
    const through = pool
    const counts = { whole: 0, streams: 0, left: 0, refused: 0 }
    const startedMs = performance.now()
    let asked = 0

    async function ask(workload: Workload): Promise<void> {
      await send(through, describe(writeBody(workload)), checks[workload.name])
    }

    async function askNext(): Promise<void> {
      sent += 1
      const place = sent % ODD_EVERY
      if (place === REFUSED_AT) {
        counts.refused += 1
        await send(through, describe('{"messages":[]}'), checkRefused)
      } else if (place === LEFT_AT) {
        counts.left += 1
        await leave(through, describe(writeBody(sse)))
      } else if (sent % 2 === 1) {
        counts.streams += 1
        await ask(sse)
      } else {
        counts.whole += 1
        await ask(json)
      }
    }

    async function repeat(): Promise<void> {
      while (asked < requests) {
        asked += 1
        await askNext()
      }
    }

    await Promise.all(Array.from({ length: concurrency }, repeat))
    return {
      ...counts,
      costNano: counts.whole * costOf(json) + counts.streams * costOf(sse),
      leftCostNano: counts.left * costOf(sse),
      elapsedMs: performance.now() - startedMs,
    }
  }
}

function checkRefused(status: number, body: string): void {
  if (status !== 400) throw new Error(`status ${status}: ${body.slice(0, 300)}`)
}

/** Breaks the connection off at the first bytes of the reply. */
function leave(pool: Pool, options: Parameters<Pool['dispatch']>[0]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  pool.dispatch(options, {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData: (controller) => controller.abort(new Error('the client has seen enough')),
    onResponseEnd: () => resolve(),
    onResponseError: () => resolve(),
  })
  return promise
}
