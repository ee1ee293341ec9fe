import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import {
  runStatements,
  withTables,
  type Migrations,
  type Store,
  type StoredTables,
} from '#platform/store/index.ts'
import type { Brand } from './catalogue.ts'

/** Brands that the operator has switched off. Kept, so that a restart does not switch them on. */
interface SwitchTables {
  brand_switch: { brand: Brand; enabled: number }
}

export const modelMigrations: Migrations = {
  '0003_brand_switch': (db) =>
    runStatements(
      db,
      'create table brand_switch (brand text primary key not null, enabled bigint not null)',
    ),
}

export const modelTables: StoredTables<SwitchTables> = { brand_switch: {} }

/** What other replicas switch is seen within this time. */
const LOOK_EVERY_MS = 1_000

/** The brands that are off, as the store last said. */
export interface Switches {
  brands(): ReadonlySet<Brand>
  /** Asks the store now. */
  look(): Promise<void>
  close(): void
}

export async function followSwitches(store: Store, log: Log): Promise<Switches> {
  let off = await readSwitches(store)
  const look = async (): Promise<void> => {
    off = await readSwitches(store)
  }
  // The owner of an embedded store is the only one who switches anything.
  const timer = store.engine === 'postgres' ? setInterval(lookAgain, LOOK_EVERY_MS) : undefined
  timer?.unref()
  function lookAgain(): void {
    look().catch((error: unknown) =>
      log.debug({ error: describeError(error) }, 'the switches of the models cannot be read'),
    )
  }
  return { brands: () => off, look, close: () => clearInterval(timer) }
}

async function readSwitches(store: Store): Promise<Set<Brand>> {
  const rows = await withTables<SwitchTables>(store.db)
    .selectFrom('brand_switch')
    .select('brand')
    .where('enabled', '=', 0)
    .execute()
  return new Set(rows.map((row) => row.brand))
}

export async function writeSwitch(store: Store, brand: Brand, enabled: boolean): Promise<void> {
  const row = { brand, enabled: enabled ? 1 : 0 }
  await withTables<SwitchTables>(store.db)
    .insertInto('brand_switch')
    .values(row)
    .onConflict((conflict) => conflict.column('brand').doUpdateSet({ enabled: row.enabled }))
    .execute()
}
