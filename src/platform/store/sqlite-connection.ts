import { Worker } from 'node:worker_threads'
import { StoreGone } from './availability.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { QueryOutput, WorkerOptions, WorkerReply, WorkerRequest } from './sqlite-worker.ts'

/** A database in a thread of its own, so that no statement ever stalls the event loop. */
export interface SqliteConnection {
  query(sql: string, parameters: readonly unknown[]): Promise<QueryOutput>
  procedure(url: string, input: unknown): Promise<unknown>
  close(): Promise<void>
}

type RequestBody = WorkerRequest extends infer Request
  ? Request extends WorkerRequest
    ? Omit<Request, 'id'>
    : never
  : never

interface Waiting {
  resolve(output: unknown): void
  reject(error: Error): void
}

/** A batch of charges is soon forgotten: as much room for what is new as the main thread has would be waste. */
const YOUNG_MB = 8

export function openSqliteConnection(options: WorkerOptions): SqliteConnection {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let broken: Error | undefined

  worker.on('message', (reply: WorkerReply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {}
    waiting.delete(reply.id)
    if ('output' in reply) resolve?.(reply.output)
    else reject?.(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
  })
  worker.on('error', (cause: Error) =>
    fail(new StoreGone('the database thread has failed', { cause })),
  )
  worker.on('exit', () => fail(new StoreGone('the database connection is closed')))

  function fail(error: Error): void {
    broken ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function send(body: RequestBody): Promise<unknown> {
    if (broken) return Promise.reject(broken)
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, ...body })
    return promise
  }

  return {
    query: (sql, parameters) =>
      send({
        kind: 'query',
        sql,
        parameters: parameters as SQLInputValue[],
      }) as Promise<QueryOutput>,
    procedure: (url, input) => send({ kind: 'procedure', url, input }),
    async close() {
      if (broken) return
      await send({ kind: 'close' })
      await worker.terminate()
    },
  }
}
