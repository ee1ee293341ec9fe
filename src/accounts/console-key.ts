import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/store/index.ts'
import type { Deed } from './audit.ts'
import { createKey } from './keys.ts'
import type { AccountsTables } from './tables.ts'

const NAME = 'Playground'

export interface WantedConsoleKey {
  readonly accountId: string
  readonly serviceName: string
}

/**
 * The hash of the key that an account's playground calls by, made where there is none. The gate and the
 * books know it as any other; but its text is given to nobody, so nobody can present it.
 */
export async function ensureConsoleKey(
  { db, reads }: { readonly db: Kysely<AccountsTables>; readonly reads: Kysely<AccountsTables> },
  wanted: WantedConsoleKey,
  deed: Deed,
): Promise<string> {
  const known = await findConsoleKey(reads, wanted.accountId)
  return known ?? inTransaction(db, (tx) => makeConsoleKey(tx, wanted, deed))
}

/** Of two at the same moment one makes it, and the other finds it when it looks again. */
async function makeConsoleKey(
  tx: Transaction<AccountsTables>,
  wanted: WantedConsoleKey,
  deed: Deed,
): Promise<string> {
  const known = await findConsoleKey(tx, wanted.accountId)
  if (known !== undefined) return known
  const { row } = await createKey(tx, { ...wanted, name: NAME, kind: 'console' }, deed)
  return row.hash
}

async function findConsoleKey(
  db: Kysely<AccountsTables>,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'console')
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row?.hash
}
