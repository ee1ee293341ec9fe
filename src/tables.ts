import { accountsMigrations, accountsTables } from '#accounts/index.ts'
import { alertMigrations, alertTables } from '#alerts/index.ts'
import { gateMigrations } from '#gate/index.ts'
import { identityMigrations, identityTables } from '#identity/index.ts'
import { ledgerMigrations, ledgerTables } from '#ledger/index.ts'
import { modelMigrations, modelTables } from '#models/index.ts'
import { paymentMigrations, paymentTables } from '#payments/index.ts'
import type { Migrations, StoredTables } from '#platform/store/index.ts'

/** What makes the store's tables: the one list of all rooms that have any. */
export const MIGRATIONS: readonly Migrations[] = [
  ledgerMigrations,
  accountsMigrations,
  modelMigrations,
  gateMigrations,
  identityMigrations,
  paymentMigrations,
  alertMigrations,
]

/** The tables that hold what must not be lost, each after those that it refers to. */
export const TABLES: StoredTables = {
  ...accountsTables,
  ...ledgerTables,
  ...modelTables,
  ...identityTables,
  ...paymentTables,
  ...alertTables,
}
