import type { Kysely } from 'kysely'
import { addNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import type { Seller } from './documents.ts'
import { splitTax } from './split-tax.ts'
import type { BillingDocumentTable, PaymentTables } from './tables.ts'

/** A receipt or a credit note, as it is read. */
export interface IssuedDocument {
  readonly number: string
  readonly kind: BillingDocumentTable['kind']
  readonly topupId: string
  readonly accountId: string
  readonly amount: NanoEuro
  readonly net: NanoEuro
  readonly tax: NanoEuro
  readonly seller: Seller
  readonly buyer: string
  readonly issuedAtMs: number
  /** Nothing was really paid. */
  readonly isTest: boolean
  /** The receipt that a credit note takes back, in part or whole. */
  readonly corrects: string | undefined
}

type Row = BillingDocumentTable & { readonly is_test: 0 | 1 }

/** What was issued for a top-up: its receipt, then its credit notes, oldest first. */
export async function selectDocuments(
  db: Kysely<PaymentTables>,
  topupId: string,
): Promise<IssuedDocument[]> {
  if (topupId.includes('\0')) return []
  const rows = await selectRows(db).where('topup_id', '=', topupId).execute()
  return describeDocuments(rows)
}

export async function findDocument(
  db: Kysely<PaymentTables>,
  number: string,
): Promise<IssuedDocument | undefined> {
  if (number.includes('\0')) return undefined
  const found = await db
    .selectFrom('billing_document')
    .select('topup_id')
    .where('number', '=', number)
    .executeTakeFirst()
  const all = found ? await selectDocuments(db, found.topup_id) : []
  return all.find((one) => one.number === number)
}

/** The newest of an account first. */
export function selectLatestDocuments(
  db: Kysely<PaymentTables>,
  accountId: string,
  limit: number,
): Promise<BillingDocumentTable[]> {
  return db
    .selectFrom('billing_document')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('issued_at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

function selectRows(db: Kysely<PaymentTables>) {
  return db
    .selectFrom('billing_document')
    .innerJoin('topup', 'topup.id', 'billing_document.topup_id')
    .selectAll('billing_document')
    .select('topup.is_test')
    .orderBy('issued_at')
    .orderBy('number')
}

/**
 * Each credit note has the tax that is of all that was given back up to it, less what the notes before
 * it have: whatever the parts, together they take back no cent more or less of tax than the receipt has.
 */
function describeDocuments(rows: readonly Row[]): IssuedDocument[] {
  const receipts = rows.filter(({ kind }) => kind === 'receipt')
  const notes = rows.filter(({ kind }) => kind === 'credit_note')
  const corrects = receipts[0]?.number
  let before = ZERO
  const described = notes.map((row) => {
    const upTo = addNano(before, row.amount_nano)
    const { vatRate } = readSeller(receipts[0] ?? row)
    const [sum, less] = [splitTax(upTo, vatRate), splitTax(before, vatRate)]
    before = upTo
    const parts = { net: subtractNano(sum.net, less.net), tax: subtractNano(sum.tax, less.tax) }
    return describe(row, parts, corrects)
  })
  const first = receipts.map((row) =>
    describe(row, splitTax(row.amount_nano, readSeller(row).vatRate), undefined),
  )
  return [...first, ...described]
}

function describe(
  row: Row,
  { net, tax }: Pick<IssuedDocument, 'net' | 'tax'>,
  corrects: string | undefined,
): IssuedDocument {
  return {
    number: row.number,
    kind: row.kind,
    topupId: row.topup_id,
    accountId: row.account_id,
    amount: row.amount_nano,
    net,
    tax,
    seller: readSeller(row),
    buyer: row.buyer,
    issuedAtMs: row.issued_at,
    isTest: row.is_test === 1,
    corrects,
  }
}

function readSeller({ seller }: Pick<BillingDocumentTable, 'seller'>): Seller {
  return JSON.parse(seller) as Seller
}
