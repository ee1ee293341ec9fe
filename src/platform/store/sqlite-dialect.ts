import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Kysely over a connection in another thread. One holder at a time: the lock spans transactions. */
export function createSqliteDialect(connection: SqliteConnection, lock: Lock): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createDriver(connection, lock),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** A queue of holders, first come first served. */
export interface Lock {
  acquire(): Promise<void>
  release(): void
}

export function createLock(): Lock {
  let held = false
  const queue: (() => void)[] = []
  return {
    acquire() {
      if (!held) {
        held = true
        return Promise.resolve()
      }
      return new Promise((resolve) => queue.push(resolve))
    },
    release() {
      const next = queue.shift()
      if (next) next()
      else held = false
    },
  }
}

function createDriver(connection: SqliteConnection, lock: Lock): Driver {
  const holder: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const { rows, changes } = await connection.query(sql, parameters)
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
    },
    streamQuery() {
      throw new Error('this store does not stream rows: page by a cursor instead')
    },
  }
  const execute = (sql: string) => holder.executeQuery(CompiledQuery.raw(sql))
  return {
    init: async () => {},
    async acquireConnection() {
      await lock.acquire()
      return holder
    },
    beginTransaction: async () => void (await execute('begin')),
    commitTransaction: async () => void (await execute('commit')),
    rollbackTransaction: async () => void (await execute('rollback')),
    releaseConnection: async () => lock.release(),
    destroy: async () => {},
  }
}

/** SQLite's schema changes are part of a transaction like any other; Kysely's adapter says no. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
