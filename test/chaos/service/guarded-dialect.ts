import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Engine } from '#platform/store/index.ts'

/** Stands before every call: does the work, late or not at all, or spoils its outcome. */
export type Guard = <Output>(access: Access, work: () => Promise<Output>) => Promise<Output>

/** A commit is a procedure of the hot path: a whole transaction. */
export type Access = 'read' | 'write' | 'commit'

type Database = Kysely<object>

/** The same database with a guard before each statement. A rollback always goes through. */
export function wrapDatabase(engine: Engine, inner: Database, guard: Guard): Database {
  return new Kysely({
    dialect: { ...DIALECTS[engine], createDriver: () => createDriver(engine, inner, guard) },
  })
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const DIALECTS: Readonly<Record<Engine, Omit<Dialect, 'createDriver'>>> = {
  sqlite: {
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

/** One of the inner database's connections, kept until it is let go. */
interface Lease extends DatabaseConnection {
  readonly inner: Database
  readonly letGo: () => void
}

function createDriver(engine: Engine, inner: Database, guard: Guard): Driver {
  return {
    init: async () => {},
    acquireConnection: () => lease(inner, guard),
    beginTransaction: (connection, settings) =>
      guard('read', () =>
        execute(connection as Lease, CompiledQuery.raw(writeBegin(engine, settings))),
      ),
    commitTransaction: (connection) =>
      guard('write', () => execute(connection as Lease, CompiledQuery.raw('commit'))),
    rollbackTransaction: (connection) =>
      execute(connection as Lease, CompiledQuery.raw('rollback')),
    releaseConnection: async (connection) => (connection as Lease).letGo(),
    destroy: async () => {},
  }
}

async function lease(inner: Database, guard: Guard): Promise<Lease> {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: leased, resolve, reject } = Promise.withResolvers<Lease>()
  inner
    .connection()
    .execute(async (connection) => {
      resolve({
        inner: connection,
        letGo,
        executeQuery<Row>(query: CompiledQuery) {
          // The rows are of the type that their query was built for.
          const ask = () => connection.executeQuery(query) as Promise<QueryResult<Row>>
          return guard(accessOf(query), ask)
        },
        streamQuery() {
          throw new Error('no room streams rows')
        },
      })
      await released
    })
    .catch(reject)
  return leased
}

async function execute({ inner }: Lease, query: CompiledQuery): Promise<void> {
  await inner.executeQuery(query)
}

function writeBegin(engine: Engine, { isolationLevel }: TransactionSettings): string {
  // In SQLite every transaction is isolated.
  return engine === 'sqlite' || isolationLevel === undefined
    ? 'begin'
    : `begin isolation level ${isolationLevel}`
}

function accessOf({ sql }: CompiledQuery): Access {
  return /^\s*(insert|update|delete|create|alter|drop)\b/i.test(sql) ? 'write' : 'read'
}
