import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqliteProcedure } from './store.ts'

export type { DatabaseSync }

/** Prepared statements by their text. Bounded by the number of distinct texts in our source. */
export interface StatementCache {
  prepare(sql: string): StatementSync
}

export interface WorkerOptions {
  readonly path: string
  readonly readOnly: boolean
}

export type WorkerRequest =
  | {
      readonly id: number
      readonly kind: 'query'
      readonly sql: string
      readonly parameters: SQLInputValue[]
    }
  | {
      readonly id: number
      readonly kind: 'procedure'
      readonly url: string
      readonly input: unknown
    }
  | { readonly id: number; readonly kind: 'close' }

export type WorkerReply =
  | { readonly id: number; readonly output: unknown }
  | {
      readonly id: number
      readonly error: { readonly message: string; readonly code: number | undefined }
    }

export interface QueryOutput {
  readonly rows: unknown[]
  readonly changes: number
}

const MAX_STATEMENTS = 500

/** 16 MiB of write-ahead log; SQLite's own 1 000 pages are full after a third of a second of load. */
const CHECKPOINT_PAGES = 4_000

const { path, readOnly } = workerData as WorkerOptions
const port = parentPort
if (!port) throw new Error('this module runs as a worker thread')

const database = openDatabase()
const statements = createStatementCache(database)
const procedures = new Map<string, Promise<SqliteProcedure<unknown, unknown>>>()

/** Answered in order: a request waits for the one before, loading of a procedure included. */
let last: Promise<void> = Promise.resolve()
port.on('message', (request: WorkerRequest) => {
  last = last.then(() => answer(request))
})

async function answer(request: WorkerRequest): Promise<void> {
  try {
    port?.postMessage({ id: request.id, output: await perform(request) } satisfies WorkerReply)
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    port?.postMessage({ id: request.id, error: { message, code: errcode } } satisfies WorkerReply)
  }
  if (request.kind === 'close') port?.close()
}

function perform(request: WorkerRequest): unknown {
  switch (request.kind) {
    case 'query':
      return query(request.sql, request.parameters)
    case 'procedure':
      return runProcedure(request.url, request.input)
    case 'close':
      return database.close()
  }
}

function query(sql: string, parameters: SQLInputValue[]): QueryOutput {
  // A full or failing disk makes SQLite undo the transaction itself, and a second rollback would hide
  // the error that tells so.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [], changes: 0 }
  const statement = statements.prepare(sql)
  if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: 0 }
  return { rows: [], changes: Number(statement.run(...parameters).changes) }
}

async function runProcedure(url: string, input: unknown): Promise<unknown> {
  const procedure = await loadProcedure(url)
  statements.prepare('begin immediate').run()
  try {
    const output = procedure(statements, input)
    statements.prepare('commit').run()
    return output
  } catch (error) {
    if (database.isTransaction) statements.prepare('rollback').run()
    throw error
  }
}

function loadProcedure(url: string): Promise<SqliteProcedure<unknown, unknown>> {
  let loading = procedures.get(url)
  if (!loading) {
    loading = importProcedure(url)
    procedures.set(url, loading)
  }
  return loading
}

async function importProcedure(url: string): Promise<SqliteProcedure<unknown, unknown>> {
  const module = (await import(url)) as { procedure: SqliteProcedure<unknown, unknown> }
  return module.procedure
}

function openDatabase(): DatabaseSync {
  const opened = new DatabaseSync(path, { readOnly, timeout: 5_000 })
  if (readOnly) return opened
  // FULL: a commit is on the disk before anyone hears of it, for it may be money.
  opened.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  // Pages that many charges change, as a day's totals, are written into the database once for all of them.
  opened.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  // SQLite opens a file that it may not write without a word, and never tries again: a write that
  // changes nothing tells.
  opened.exec('pragma user_version = 0')
  return opened
}

function createStatementCache(db: DatabaseSync): StatementCache {
  const cache = new Map<string, StatementSync>()
  return {
    prepare(sql) {
      let statement = cache.get(sql)
      if (!statement) {
        // Texts are finite, but lists of varying length (`in (?, ?)`) make more of them.
        if (cache.size >= MAX_STATEMENTS) cache.clear()
        statement = db.prepare(sql)
        cache.set(sql, statement)
      }
      return statement
    },
  }
}
