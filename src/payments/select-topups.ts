import type { Kysely } from 'kysely'
import type { PaymentTables, TopupTable } from './tables.ts'

export interface TopupFilter {
  readonly accountId?: string
  /** The id that the page before ended with. */
  readonly before?: string
}

/** Newest first. */
export function selectTopups(
  db: Kysely<PaymentTables>,
  { accountId, before }: TopupFilter,
  limit: number,
): Promise<TopupTable[]> {
  let query = db.selectFrom('topup').selectAll()
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
