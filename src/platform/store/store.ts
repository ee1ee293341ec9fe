import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { StatementCache } from './sqlite-worker.ts'

/**
 * Where rows live. Each room sees its own tables by `withTables<LedgerTables>(store.db)`.
 * What a returned promise says was written is durable: it survives a power cut.
 */
export interface Store {
  /** Reads and writes, one at a time. */
  readonly db: Kysely<object>
  /** Reads alone, on a connection of its own: a long list or a verification delays no charge. */
  readonly reads: Kysely<object>
  /** Runs a procedure as one transaction, away from the event loop. */
  run<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output>
  close(): Promise<void>
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

/** Forward only; run in the order of their names, each once. */
export type Migrations = Readonly<Record<string, Migration>>
