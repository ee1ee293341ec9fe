import { Pool, type Dispatcher } from 'undici'
import { quantile } from '../statistics.ts'
import { createReplyCheck } from './check-replies.ts'
import { findWorkload, writeBody, type WorkloadName } from './workload.ts'

export interface Target {
  readonly origin: string
  readonly path: string
  /** Used in turn, so that no account meets its limits; none where the target asks for none. */
  readonly keys: readonly string[]
}

export interface Load {
  readonly target: 'direct' | 'parley'
  readonly workload: WorkloadName
  readonly concurrency: number
  readonly durationMs: number
}

export interface Loaded {
  readonly replies: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** To the first bytes of a body. */
  readonly firstByteP50Ms: number
}

interface Timing {
  readonly totalMs: number
  readonly firstByteMs: number
}

const KEEP_ALIVE_MS = 60_000

/** Sends one request after the other on each of so many connections, until the time is over. */
export interface Generator {
  run(load: Load): Promise<Loaded>
  close(): Promise<void>
}

export function createGenerator(targets: Readonly<Record<Load['target'], Target>>): Generator {
  const pools = new Map<string, Pool>()
  const checks = new Map<string, ReturnType<typeof createReplyCheck>>()
  let sent = 0

  function findPool(origin: string, connections: number): Pool {
    const id = `${origin} ${connections}`
    const pool = pools.get(id) ?? new Pool(origin, { connections, keepAliveTimeout: KEEP_ALIVE_MS })
    pools.set(id, pool)
    return pool
  }

  function findCheck({ target, workload }: Load) {
    const id = `${target} ${workload}`
    const check = checks.get(id) ?? createReplyCheck(findWorkload(workload))
    checks.set(id, check)
    return check
  }

  async function run(load: Load): Promise<Loaded> {
    const { origin, path, keys } = targets[load.target]
    const pool = findPool(origin, load.concurrency)
    const check = findCheck(load)
    const body = writeBody(findWorkload(load.workload))
    const timings: Timing[] = []
    const startedMs = performance.now()

    async function repeat(): Promise<void> {
      while (performance.now() - startedMs < load.durationMs) {
        const key = keys[sent++ % keys.length]
        const headers = {
          'content-type': 'application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        }
        timings.push(await send(pool, { path, method: 'POST', headers, body }, check))
      }
    }

    await Promise.all(Array.from({ length: load.concurrency }, repeat))
    return summarise(timings, performance.now() - startedMs)
  }

  return {
    run,
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))),
  }
}

/** Sends one request, and has its reply checked. */
export function send(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  check: (status: number, body: string) => void,
): Promise<Timing> {
  const { promise, resolve, reject } = Promise.withResolvers<Timing>()
  const chunks: Buffer[] = []
  const sentMs = performance.now()
  let firstByteMs = 0
  let status = 0
  pool.dispatch(options, {
    // Undici asks for it.
    onRequestStart() {},
    onResponseStart(_controller, code) {
      status = code
    },
    onResponseData(_controller, chunk) {
      if (chunks.length === 0) firstByteMs = performance.now() - sentMs
      chunks.push(chunk)
    },
    onResponseEnd() {
      const totalMs = performance.now() - sentMs
      try {
        check(status, Buffer.concat(chunks).toString())
        resolve({ totalMs, firstByteMs })
      } catch (error) {
        reject(error)
      }
    },
    onResponseError: (_controller, error) => reject(error),
  })
  return promise
}

function summarise(timings: readonly Timing[], elapsedMs: number): Loaded {
  const totalsMs = timings.map(({ totalMs }) => totalMs)
  return {
    replies: timings.length,
    elapsedMs,
    p50Ms: quantile(totalsMs, 0.5),
    p99Ms: quantile(totalsMs, 0.99),
    firstByteP50Ms: quantile(
      timings.map((timing) => timing.firstByteMs),
      0.5,
    ),
  }
}
