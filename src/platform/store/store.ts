import type { Kysely } from 'kysely'
import type { StatementCache } from './sqlite-worker.ts'

/**
 * Where rows live. Each room sees its own tables by `withTables<LedgerTables>(store.db)`.
 * What a returned promise says was written is durable: it survives a power cut.
 */
export type Store = SqliteStore | PostgresStore

export type Engine = Store['engine']

interface Tables {
  /** Reads and writes. */
  readonly db: Kysely<object>
  /** Reads alone: a long list or a verification delays no charge. */
  readonly reads: Kysely<object>
  close(): Promise<void>
}

/** The embedded store. One process owns it, and writes one thing at a time. */
export interface SqliteStore extends Tables {
  readonly engine: 'sqlite'
  /** Runs a procedure as one transaction, away from the event loop. */
  run<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output>
}

/** The store that any number of replicas share. */
export interface PostgresStore extends Tables {
  readonly engine: 'postgres'
  /** One connection for what keeps the tables in order, and may take long. Broken off by `close`. */
  readonly upkeep: Kysely<object>
  /** One statement as one transaction, on connections kept for the hot path. */
  call<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

/** Prepared once a connection, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Names a module whose export `procedure` is a SqliteProcedure. */
export interface Procedure<Input, Output> {
  readonly url: URL
  /** Never set: it carries the types of what goes in and comes out. */
  readonly types?: (input: Input) => Output
}

/**
 * A step of the hot path, run where the database is: many statements for one message. It must not
 * keep any state, for the transaction around it may be rolled back.
 */
export type SqliteProcedure<Input, Output> = (statements: StatementCache, input: Input) => Output

/** Forward only; run in the order of their names, each once and as one transaction. */
export type Migrations = Readonly<
  Record<string, (db: Kysely<unknown>, engine: Engine) => Promise<void>>
>
