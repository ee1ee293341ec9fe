import { Pool, type Dispatcher } from 'undici'
import { answerParent } from '../chat/child.ts'
import { quantile } from '../statistics.ts'
import {
  CHUNKS,
  findWorkload,
  readClockMs,
  readStamps,
  writeBody,
  type Workload,
  type WorkloadName,
} from './workloads.ts'

/** Where a round goes. */
export interface Target {
  readonly origin: string
  readonly path: string
  /** Its name for the model. */
  readonly model: string
  /** Sent in turn, so that no account meets its limits. */
  readonly headers: readonly Readonly<Record<string, string>>[]
}

export interface Load {
  readonly target: Target
  readonly workload: WorkloadName
  readonly concurrency: number
  readonly durationMs: number
  /** What every answer has to be, one of them. */
  readonly statuses: readonly number[]
}

/** Milliseconds. */
export interface Loaded {
  readonly replies: number
  /** Those of them that were no refusals. */
  readonly served: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly firstByteP50Ms: number
  /** From a chunk's leaving the upstream to its arrival; NaN where nothing was streamed. */
  readonly chunkP50Ms: number
  readonly chunkP99Ms: number
}

interface Timing {
  readonly status: number
  readonly totalMs: number
  readonly firstByteMs: number
}

const KEEP_ALIVE_MS = 120_000
const TIMEOUT_MS = 120_000

const pools = new Map<string, Pool>()
let sent = 0

answerParent(async (load: Load) => {
  const workload = findWorkload(load.workload)
  const pool = findPool(load)
  const body = writeBody(workload, load.target.model)
  const timings: Timing[] = []
  const lags: number[] = []
  const startedMs = performance.now()
  const isOver = (): boolean => performance.now() - startedMs >= load.durationMs

  async function repeat(): Promise<void> {
    do {
      const options = describeRequest(load.target, body)
      timings.push(await send(pool, options, { workload, statuses: load.statuses, lags }))
    } while (!workload.isOnce && !isOver())
  }

  await Promise.all(Array.from({ length: load.concurrency }, repeat))
  return summarise(timings, lags, performance.now() - startedMs)
})

function findPool({ target: { origin }, concurrency }: Load): Pool {
  const id = `${origin} ${concurrency}`
  const pool =
    pools.get(id) ??
    new Pool(origin, {
      connections: concurrency,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  pools.set(id, pool)
  return pool
}

function describeRequest({ path, headers }: Target, body: string): Dispatcher.DispatchOptions {
  const own = headers[sent++ % headers.length]
  return { path, method: 'POST', headers: { 'content-type': 'application/json', ...own }, body }
}

interface Wanted {
  readonly workload: Workload
  readonly statuses: readonly number[]
  readonly lags: number[]
}

/** Sends one request, and looks at what comes: an answer that is not whole ends the bench. */
function send(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  { workload, statuses, lags }: Wanted,
): Promise<Timing> {
  const { promise, resolve, reject } = Promise.withResolvers<Timing>()
  const chunks: Buffer[] = []
  const sentMs = performance.now()
  let [firstByteMs, status] = [0, 0]
  pool.dispatch(options, {
    // Undici asks for it.
    onRequestStart() {},
    onResponseStart(_controller, code) {
      status = code
    },
    onResponseData(_controller, chunk) {
      if (chunks.length === 0) firstByteMs = performance.now() - sentMs
      chunks.push(chunk)
      if (!workload.isStream) return
      const nowMs = readClockMs()
      for (const stampMs of readStamps(chunk.toString('latin1'))) lags.push(nowMs - stampMs)
    },
    onResponseEnd() {
      const text = Buffer.concat(chunks).toString()
      const problem = findProblem(workload, statuses, status, text)
      if (problem !== undefined) return reject(new Error(problem))
      resolve({ status, totalMs: performance.now() - sentMs, firstByteMs })
    },
    onResponseError: (_controller, error) => reject(error),
  })
  return promise
}

function findProblem(
  { isStream }: Workload,
  wanted: readonly number[],
  status: number,
  text: string,
): string | undefined {
  if (!wanted.includes(status)) return `status ${status}: ${text.slice(0, 300)}`
  if (status !== 200) return undefined
  if (!isStream) {
    return text.includes('neighbouring') ? undefined : `no reply: ${text.slice(0, 300)}`
  }
  const found = readStamps(text).length
  if (found !== CHUNKS) return `${found} chunks in place of ${CHUNKS}: ${text.slice(0, 300)}`
  return text.trimEnd().endsWith('data: [DONE]') ? undefined : 'a stream without its end'
}

function summarise(timings: readonly Timing[], lags: readonly number[], elapsedMs: number): Loaded {
  const totals = timings.map(({ totalMs }) => totalMs)
  const firsts = timings.map(({ firstByteMs }) => firstByteMs)
  return {
    replies: timings.length,
    served: timings.filter(({ status }) => status === 200).length,
    elapsedMs,
    p50Ms: quantile(totals, 0.5),
    p99Ms: quantile(totals, 0.99),
    firstByteP50Ms: quantile(firsts, 0.5),
    chunkP50Ms: quantile(lags, 0.5),
    chunkP99Ms: quantile(lags, 0.99),
  }
}
