import type { Kysely } from 'kysely'
import { createId } from '#platform/ids.ts'
import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import type { AccountsTables, AuditAction, AuditTable } from './tables.ts'

/** Who does something, and when. */
export interface Deed {
  /** "operator" for the operator's token, "start" for the first start, else a person's id. */
  readonly actor: string
  readonly atMs: number
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

/** Writes down who did what, in the same transaction as what was done, whichever room did it. */
export async function recordAudit(
  tx: AnyTransaction,
  { actor, atMs }: Deed,
  action: AuditAction,
  accountId: string | null,
  details: AuditDetails,
): Promise<void> {
  await withTables<AccountsTables>(tx)
    .insertInto('audit')
    .values({
      id: createId('aud'),
      at: atMs,
      actor,
      action,
      account_id: accountId,
      details: JSON.stringify(details),
    })
    .execute()
}

/** Newest first; `before` is the id that the page before ended with. */
export function selectAudit(
  db: Kysely<AccountsTables>,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<AuditTable[]> {
  let query = db.selectFrom('audit').selectAll()
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}
