import {
  openStore as openRealStore,
  type PostgresStore,
  type Statement,
  type Store,
} from '#platform/store/index.ts'
import type { StoreErrors } from './break-store.ts'
import type { ServeOptions } from './orders.ts'

/** Opens the store of an engine, and says how that engine complains. */
export async function openStore(
  { store: { engine, databaseUrl }, dataDir }: ServeOptions,
  nowMs: () => number,
): Promise<{ readonly store: Store; readonly errors: StoreErrors }> {
  const store = await openRealStore({ databaseUrl, dataDir })
  return {
    store: store.engine === 'postgres' ? dateAtDoor(store, nowMs) : store,
    errors: ERRORS[engine],
  }
}

const ADMIT = 'admit_requests'

/**
 * The database reads its own clock as it admits; ours is told to it. What waited at a broken door
 * would tell a time long gone, which ends windows as a clock set back does: it is read when it goes.
 */
function dateAtDoor(store: PostgresStore, nowMs: () => number): PostgresStore {
  return {
    ...store,
    call<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const dated = statement.name === ADMIT ? [...values.slice(0, -1), nowMs()] : values
      return store.call<Row>(statement, dated)
    },
  }
}

const ERRORS: Readonly<Record<Store['engine'], StoreErrors>> = {
  sqlite: {
    // Extended codes, as node:sqlite gives them: IOERR_FSYNC, FULL, READONLY_DBMOVED.
    fails: () => createError('disk I/O error', 1034),
    full: () => createError('database or disk is full', 13),
    readOnly: () => createError('attempt to write a readonly database', 1032),
  },
  postgres: {
    fails: () => createError('could not read block 0 in file "base/5/2619"', '58030'),
    full: () => createError('could not extend file: No space left on device', '53100'),
    readOnly: () => createError('cannot execute INSERT in a read-only transaction', '25006'),
  },
}

function createError(message: string, code: number | string): Error {
  return Object.assign(new Error(message), { code })
}
