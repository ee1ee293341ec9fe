import { runStatements, withTables, type Migrations, type Store } from '#platform/store/index.ts'
import type { Brand } from './catalogue.ts'

/** Brands that the operator has switched off. Kept, so that a restart does not switch them on. */
interface SwitchTables {
  brand_switch: { brand: Brand; enabled: number }
}

export const modelMigrations: Migrations = {
  '0003_brand_switch': {
    up: (db) =>
      runStatements(
        db,
        'create table brand_switch (brand text primary key not null, enabled bigint not null)',
      ),
  },
}

export async function readSwitches(store: Store): Promise<Set<Brand>> {
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
