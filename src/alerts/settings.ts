import type { Kysely, Transaction } from 'kysely'
import { formatEuros, nano, NANO_PER_EURO, type NanoEuro } from '#platform/money.ts'
import { recordAudit, type Deed } from '#accounts/index.ts'
import type { AlertTables } from './tables.ts'

/** What an account's person wants to be told. */
export interface AlertSettings {
  /** Below this balance; null: never. */
  readonly lowBalance: NanoEuro | null
  /** At parts of the daily ceiling. */
  readonly ceiling: boolean
}

/** What holds for whoever chose nothing. */
export const DEFAULTS: AlertSettings = { lowBalance: nano(2 * NANO_PER_EURO), ceiling: true }

/** Of those who chose something. */
export async function selectSettings(
  db: Kysely<AlertTables>,
  accountIds: readonly string[],
): Promise<Map<string, AlertSettings>> {
  const rows = await db
    .selectFrom('alert_setting')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(
    rows.map((row) => [
      row.account_id,
      { lowBalance: row.low_balance_nano, ceiling: row.ceiling_alerts === 1 },
    ]),
  )
}

export async function writeSettings(
  tx: Transaction<AlertTables>,
  accountId: string,
  { lowBalance, ceiling }: AlertSettings,
  deed: Deed,
): Promise<void> {
  const chosen = { low_balance_nano: lowBalance, ceiling_alerts: ceiling ? 1 : 0 } as const
  await tx
    .insertInto('alert_setting')
    .values({ account_id: accountId, ...chosen })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(chosen))
    .execute()
  const lowBalanceEur = lowBalance === null ? null : formatEuros(lowBalance)
  const details = { low_balance_eur: lowBalanceEur, ceiling }
  await recordAudit(tx, deed, 'alerts.changed', accountId, details)
}
