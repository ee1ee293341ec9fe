import { sql, type Transaction } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import { BOOKS, type LedgerTables } from './tables.ts'

export type ReversalKind = 'refund' | 'dispute' | 'dispute_won' | 'dispute_lost'

/** What becomes of a deposit after it was made: the buyer, or their bank, takes it back. */
export interface Reversal {
  readonly accountId: string
  readonly kind: ReversalKind
  readonly amount: NanoEuro
  /** Unique in the whole service: booking it again books nothing. */
  readonly reference: string
  readonly atMs: number
}

/** `-1`: out of the account, `1`: into it, `0`: between the house's own books. */
const DIRECTIONS = { refund: -1, dispute: -1, dispute_won: 1, dispute_lost: 0 } as const

/**
 * Books a reversal once; false where it was booked before. These alone may take a balance below zero:
 * what was given for the money is spent, and the money is gone.
 */
export async function bookReversal(
  tx: Transaction<LedgerTables>,
  { accountId, kind, amount, reference, atMs }: Reversal,
): Promise<boolean> {
  const books = listBooks(kind, accountId)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('transfer')
    .values({ reference, ...books, amount_nano: amount, kind, created_at: atMs })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  const change = DIRECTIONS[kind] * amount
  await tx
    .updateTable('balance')
    .set({
      balance_nano: sql`balance_nano + ${change}`,
      deposits_nano: sql`deposits_nano + ${change}`,
      version: sql`version + 1`,
      ...(change > 0 && {
        raises: sql<number>`raises + 1`,
        raised_to_nano: sql<NanoEuro>`balance_nano + ${change}`,
      }),
    })
    .where('account_id', '=', accountId)
    .execute()
  return true
}

/** The balance within a transaction, which may have changed it. */
export async function readBalance(
  tx: Transaction<LedgerTables>,
  accountId: string,
): Promise<NanoEuro> {
  const row = await tx
    .selectFrom('balance')
    .select('balance_nano')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.balance_nano
}

function listBooks(kind: ReversalKind, accountId: string): { debit: string; credit: string } {
  switch (kind) {
    case 'refund':
      return { debit: accountId, credit: BOOKS.cash }
    case 'dispute':
      return { debit: accountId, credit: BOOKS.disputed }
    case 'dispute_won':
      return { debit: BOOKS.disputed, credit: accountId }
    case 'dispute_lost':
      return { debit: BOOKS.disputed, credit: BOOKS.cash }
  }
}
