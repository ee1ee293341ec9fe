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
 * Books a reversal once, and answers what the balance is then. These alone may take it below zero: what
 * was given for the money is spent, and the money is gone.
 */
export async function bookReversal(
  tx: Transaction<LedgerTables>,
  { accountId, kind, amount, reference, atMs }: Reversal,
): Promise<NanoEuro> {
  const moved = DIRECTIONS[kind] * amount
  // Takes the account's row first, so that of two with one reference the second sees the first's.
  await tx
    .updateTable('balance')
    .set({ version: sql`version` })
    .where('account_id', '=', accountId)
    .execute()
  const { numInsertedOrUpdatedRows: booked } = await tx
    .insertInto('transfer')
    .values({
      reference,
      ...listBooks(kind, accountId),
      amount_nano: amount,
      kind,
      created_at: atMs,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .executeTakeFirstOrThrow()
  const change = booked === 0n ? 0 : moved
  const { balance_nano: balance } = await tx
    .updateTable('balance')
    .set({
      balance_nano: sql`balance_nano + ${change}`,
      deposits_nano: sql`deposits_nano + ${change}`,
      version: sql`version + 1`,
    })
    .where('account_id', '=', accountId)
    .returning('balance_nano')
    .executeTakeFirstOrThrow()
  return balance
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
