import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'

/** Stands before every call: does the work, late or not at all, or spoils its outcome. */
export type Guard = <Output>(access: Access, work: () => Promise<Output>) => Promise<Output>

/** A commit is a procedure of the hot path: a whole transaction. */
export type Access = 'read' | 'write' | 'commit'

type Database = Kysely<object>

/** The same database with a guard before each statement. A rollback always goes through. */
export function wrapDatabase(inner: Database, guard: Guard): Database {
  return new Kysely({
    dialect: {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => createDriver(inner, guard),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One of the inner database's connections, kept until it is let go. */
interface Lease extends DatabaseConnection {
  readonly inner: Database
  readonly letGo: () => void
}

function createDriver(inner: Database, guard: Guard): Driver {
  return {
    init: async () => {},
    acquireConnection: () => lease(inner, guard),
    beginTransaction: (connection) =>
      guard('read', () => execute(connection as Lease, CompiledQuery.raw('begin'))),
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

function accessOf({ sql }: CompiledQuery): Access {
  return /^\s*(insert|update|delete|create|alter|drop)\b/i.test(sql) ? 'write' : 'read'
}
