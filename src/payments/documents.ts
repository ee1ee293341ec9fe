import { sql, type Transaction } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import type { BillingDocumentTable, PaymentTables, TopupTable } from './tables.ts'

/** Who sells, as receipts must say. */
export interface Seller {
  readonly name: string
  readonly address: string
  readonly vatId: string | undefined
  /** In percent, included in every amount. */
  readonly vatRate: number
}

export interface Issue {
  readonly kind: BillingDocumentTable['kind']
  readonly topup: Pick<TopupTable, 'id' | 'account_id'>
  readonly amount: NanoEuro
  readonly atMs: number
}

/** Receipts and credit notes, numbered without gaps: each within the transaction of what it is for. */
export interface Documents {
  issue(tx: Transaction<PaymentTables>, issue: Issue): Promise<void>
}

const SERIES = { receipt: 'R', credit_note: 'C' } as const

export interface DocumentsOptions {
  readonly seller: Seller
  /** The buyer's name, or address where they gave none. */
  describeBuyer(tx: Transaction<PaymentTables>, accountId: string): Promise<string>
}

export function createDocuments({ seller, describeBuyer }: DocumentsOptions): Documents {
  return {
    async issue(tx, { kind, topup, amount, atMs }) {
      const series = `${SERIES[kind]}-${new Date(atMs).getUTCFullYear()}`
      await tx
        .insertInto('billing_document')
        .values({
          number: await takeNumber(tx, series),
          kind,
          topup_id: topup.id,
          account_id: topup.account_id,
          amount_nano: amount,
          seller: JSON.stringify({ ...seller, vatRate: await findRate(tx, seller, topup.id) }),
          buyer: await describeBuyer(tx, topup.account_id),
          issued_at: atMs,
        })
        .execute()
    },
  }
}

/** The counter's row is locked until the transaction ends: a number that is not used is given again. */
async function takeNumber(tx: Transaction<PaymentTables>, series: string): Promise<string> {
  const { last_number: last } = await tx
    .insertInto('document_counter')
    .values({ series, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet({ last_number: sql`document_counter.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return `${series}-${String(last).padStart(6, '0')}`
}

/** What is given back was taxed at the rate of then, whatever it is now. */
async function findRate(
  tx: Transaction<PaymentTables>,
  { vatRate }: Seller,
  topupId: string,
): Promise<number> {
  const receipt = await tx
    .selectFrom('billing_document')
    .select('seller')
    .where('topup_id', '=', topupId)
    .where('kind', '=', 'receipt')
    .executeTakeFirst()
  return receipt ? (JSON.parse(receipt.seller) as Seller).vatRate : vatRate
}
