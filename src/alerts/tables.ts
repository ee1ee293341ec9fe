import type { NanoEuro } from '#platform/money.ts'
import type { StoredTables } from '#platform/store/index.ts'

/** What an account chose; where it has no row, it is as settings.ts says. */
export interface AlertSettingTable {
  account_id: string
  /** Below this the person is told; null: never. */
  low_balance_nano: NanoEuro | null
  ceiling_alerts: 0 | 1
}

export type AlertKind = 'low_balance' | 'ceiling'

/** What somebody was told, so that no replica and no later start tells it again. */
export interface AlertSentTable {
  account_id: string
  kind: AlertKind
  /** The threshold in nano-euros, or percent of the ceiling. */
  level: number
  /** How many raises the balance had had, or the UTC day as days since 1970. */
  period: number
  sent_at: number
}

export interface AlertTables {
  alert_setting: AlertSettingTable
  alert_sent: AlertSentTable
}

export const alertTables: StoredTables<AlertTables> = {
  alert_setting: {},
  alert_sent: {},
}
