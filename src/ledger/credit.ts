import { sql, type Transaction } from 'kysely'
import { MAX_BALANCE, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import { BOOKS, type LedgerTables, type TransferTable } from './tables.ts'

export interface Credit {
  readonly accountId: string
  readonly kind: 'deposit' | 'grant'
  readonly amount: NanoEuro
  /** Unique in the whole service: booking it again books nothing. */
  readonly reference: string
  readonly atMs: number
}

export type Crediting =
  | { readonly kind: 'booked'; readonly credit: Credit }
  /** The same credit had been booked before; this is that one. */
  | { readonly kind: 'repeated'; readonly credit: Credit }
  /** The reference belongs to another credit. */
  | { readonly kind: 'conflict' }
  /** The balance would leave what can be counted exactly. */
  | { readonly kind: 'too_much' }

/** Adds money to an account, once for each reference. */
export async function bookCredit(
  tx: Transaction<LedgerTables>,
  credit: Credit,
): Promise<Crediting> {
  const earlier = await tx
    .selectFrom('transfer')
    .selectAll()
    .where('reference', '=', credit.reference)
    .executeTakeFirst()
  if (earlier) return compareWithEarlier(credit, earlier)
  const deposited = credit.kind === 'deposit' ? credit.amount : ZERO
  const { numUpdatedRows } = await tx
    .updateTable('balance')
    .set({
      balance_nano: sql`balance_nano + ${credit.amount}`,
      deposits_nano: sql`deposits_nano + ${deposited}`,
      version: sql`version + 1`,
      raises: sql`raises + 1`,
      raised_to_nano: sql`balance_nano + ${credit.amount}`,
    })
    .where('account_id', '=', credit.accountId)
    .where('balance_nano', '<=', subtractNano(MAX_BALANCE, credit.amount))
    .where('deposits_nano', '<=', subtractNano(MAX_BALANCE, deposited))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return { kind: 'too_much' }
  await tx
    .insertInto('transfer')
    .values({
      reference: credit.reference,
      debit: credit.kind === 'deposit' ? BOOKS.cash : BOOKS.grants,
      credit: credit.accountId,
      amount_nano: credit.amount,
      kind: credit.kind,
      created_at: credit.atMs,
    })
    .execute()
  return { kind: 'booked', credit }
}

function compareWithEarlier(credit: Credit, earlier: TransferTable): Crediting {
  const same =
    earlier.credit === credit.accountId &&
    earlier.kind === credit.kind &&
    earlier.amount_nano === credit.amount
  if (!same) return { kind: 'conflict' }
  return { kind: 'repeated', credit: { ...credit, atMs: earlier.created_at } }
}
