import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'
import pg from 'pg'

/** What a process has done since its start. */
export interface Work {
  /** Of JavaScript's heap, as long as nothing was collected. */
  readonly allocatedBytes: number
  /** Into files, pipes and sockets. */
  readonly writtenBytes: number
  readonly reads: number
  readonly writes: number
  /** That the database was given, by whatever thread. */
  readonly statements: number
}

/** `collect` throws away first what is not used any more. */
export type Wish = 'measure' | 'collect'

/**
 * Loaded into the service before its own code, this tells its figures to whoever asks at the address
 * in this module's own query. Its database threads load it as well, and count for it.
 */
const path = new URL(import.meta.url).searchParams.get('path')
const channel = new BroadcastChannel('statements of SQLite')
channel.unref()

if (!isMainThread) countOnSqlite()
else if (path !== null) answerAt(path)

function answerAt(address: string): void {
  const statements = new Int32Array(new SharedArrayBuffer(4))
  channel.addEventListener('message', (event) => {
    if ((event as MessageEvent).data === 'counts') channel.postMessage(statements)
  })
  countOn(pg.Client.prototype, ['query'], () => statements)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (wish) => {
      if (wish.toString() === ('collect' satisfies Wish)) globalThis.gc?.()
      socket.end(JSON.stringify(measure(Atomics.load(statements, 0))))
    })
  })
  server.listen(address).unref()
}

/** Each run of a prepared statement is one. */
function countOnSqlite(): void {
  let statements: Int32Array | undefined
  channel.addEventListener('message', (event) => {
    const { data } = event as MessageEvent
    if (data instanceof Int32Array) statements = data
  })
  channel.postMessage('counts')
  const database = new DatabaseSync(':memory:')
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as object
  database.close()
  countOn(prototype, ['run', 'get', 'all'], () => statements)
}

type Method = (this: unknown, ...parameters: unknown[]) => unknown

function countOn(
  prototype: object,
  names: readonly string[],
  counter: () => Int32Array | undefined,
): void {
  const methods = prototype as Record<string, Method>
  for (const name of names) {
    const method = methods[name] as Method
    methods[name] = function counted(...parameters) {
      const statements = counter()
      if (statements) Atomics.add(statements, 0, 1)
      return method.apply(this, parameters)
    }
  }
}

function measure(statements: number): Work {
  const io = readFileSync('/proc/self/io', 'utf8')
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1])
  return {
    allocatedBytes: process.memoryUsage().heapUsed,
    writtenBytes: figure('wchar'),
    reads: figure('syscr'),
    writes: figure('syscw'),
    statements,
  }
}
