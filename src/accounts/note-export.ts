import type { Transaction } from 'kysely'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'

export type ExportNote =
  | { readonly kind: 'noted' }
  /** It was done as often as it may be on one day. */
  | { readonly kind: 'too_often'; readonly retryAfterS: number }

/** Each reads all there is of a person. */
const MAX_EXPORTS = 3
const WITHIN_MS = 86_400_000

/** Writes down that a person takes their data with them, before they do. */
export async function noteExport(
  tx: Transaction<AccountsTables>,
  personId: string,
  deed: Deed,
): Promise<ExportNote> {
  // Takes the person's row: of two at once the second sees the first one counted.
  await tx.updateTable('person').set({ id: personId }).where('id', '=', personId).execute()
  const latest = await tx
    .selectFrom('audit')
    .select('at')
    .where('person_id', '=', personId)
    .where('action', '=', 'person.exported')
    .where('at', '>', deed.atMs - WITHIN_MS)
    .orderBy('at', 'desc')
    .limit(MAX_EXPORTS)
    .execute()
  const first = latest[MAX_EXPORTS - 1]
  if (first) {
    const leftMs = first.at + WITHIN_MS - deed.atMs
    return { kind: 'too_often', retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)) }
  }
  await recordAudit(tx, deed, 'person.exported', null, { person_id: personId })
  return { kind: 'noted' }
}
