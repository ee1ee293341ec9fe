import { sql, type Kysely } from 'kysely'
import type { AlertSentTable, AlertTables } from './tables.ts'

/** What an account's person was told by mail. */
export function selectTold(
  db: Kysely<AlertTables>,
  accountId: string,
  after: AlertSentTable | undefined,
  limit: number,
): Promise<AlertSentTable[]> {
  let query = db.selectFrom('alert_sent').selectAll().where('account_id', '=', accountId)
  if (after) {
    const { kind, level, period } = after
    query = query.where(sql<boolean>`(kind, level, period) > (${kind}, ${level}, ${period})`)
  }
  return query.orderBy('kind').orderBy('level').orderBy('period').limit(limit).execute()
}
