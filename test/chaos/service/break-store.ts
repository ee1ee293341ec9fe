import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresStore, SqliteStore, Statement, Store } from '#platform/store/index.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { wrapDatabase, type Guard } from './guarded-dialect.ts'
import type { Breakage } from './orders.ts'

/** Breaks and mends a store at its door, so that everything behind it stays the real thing. */
export interface StoreDoor {
  breakDown(breakage: Breakage): void
  mend(): void
}

/** What an engine says when it cannot do its work: the service must know these errors as such. */
export interface StoreErrors {
  readonly fails: () => Error
  readonly full: () => Error
  readonly readOnly: () => Error
}

const LONGEST_DELAY_MS = 250

interface Broken extends Breakage {
  readonly random: Random
  readonly mended: PromiseWithResolvers<void>
}

export function createBreakableStore(
  store: Store,
  errors: StoreErrors,
): { readonly store: Store; readonly door: StoreDoor } {
  let broken: Broken | undefined

  const guard: Guard = async (access, work) => {
    if (!broken || broken.random.between(1, 100) > broken.percent) return work()
    switch (broken.kind) {
      case 'fails':
        throw errors.fails()
      case 'full':
        if (access === 'read') return work()
        throw errors.full()
      case 'read-only':
        if (access === 'read') return work()
        throw errors.readOnly()
      case 'slow':
        await delay(broken.random.between(1, LONGEST_DELAY_MS))
        return work()
      case 'hangs':
        await broken.mended.promise
        return work()
      case 'forgets': {
        const output = await work()
        if (access !== 'commit') return output
        throw errors.fails()
      }
    }
  }

  const door: StoreDoor = {
    breakDown(breakage) {
      door.mend()
      broken = {
        ...breakage,
        random: createRandom(breakage.seed),
        mended: Promise.withResolvers<void>(),
      }
    },
    mend() {
      broken?.mended.resolve()
      broken = undefined
    },
  }
  return { store: putBehind(guard, store), door }
}

function putBehind(guard: Guard, store: Store): Store {
  const { engine } = store
  const tables = {
    db: wrapDatabase(engine, store.db, guard),
    reads: wrapDatabase(engine, store.reads, guard),
    close: () => store.close(),
  }
  switch (engine) {
    case 'sqlite':
      return { engine, ...tables, run: guardProcedures(guard, store) }
    case 'postgres': {
      const upkeep = wrapDatabase(engine, store.upkeep, guard)
      return { engine, ...tables, upkeep, call: guardStatements(guard, store) }
    }
  }
}

function guardProcedures(guard: Guard, store: SqliteStore): SqliteStore['run'] {
  return (procedure, input) => guard('commit', () => store.run(procedure, input))
}

/** The hot path's statements that write nothing. */
const READS = new Set(['look_up_key'])

function guardStatements(guard: Guard, store: PostgresStore): PostgresStore['call'] {
  return <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    return guard(READS.has(statement.name) ? 'read' : 'commit', () =>
      store.call<Row>(statement, values),
    )
  }
}
