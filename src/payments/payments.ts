import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { formatEuros, type NanoEuro } from '#platform/money.ts'
import { inTransaction, withTables, type Store } from '#platform/store/index.ts'
import { recordAudit, type Accounts, type Actor } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import { bookPosition, type BookingTools } from './book-position.ts'
import { createDocuments, type Seller } from './documents.ts'
import {
  findDocument,
  selectDocuments,
  selectLatestDocuments,
  type IssuedDocument,
} from './issued-documents.ts'
import { createOpening, type Opening } from './open-topup.ts'
import type { PaymentEvent, PaymentProvider } from './provider.ts'
import { reconcile, type Difference } from './reconcile.ts'
import type { Sandbox } from './sandbox-provider.ts'
import { selectTopups, type TopupFilter } from './select-topups.ts'
import type { BillingDocumentTable, PaymentTables, TopupTable } from './tables.ts'

/** Money paid in: opened here, paid at a provider, credited when the provider says that it was. */
export interface Payments extends Opening {
  readonly provider: Pick<PaymentProvider, 'name' | 'isTest'>
  /** Where test money is played with; undefined where real money moves. */
  readonly sandbox: Sandbox | undefined
  find(topupId: string): Promise<TopupTable | undefined>
  list(filter: TopupFilter, limit: number): Promise<TopupTable[]>
  /** Receipt and credit notes, oldest first. */
  documents(topupId: string): Promise<IssuedDocument[]>
  findDocument(number: string): Promise<IssuedDocument | undefined>
  /** Of an account, newest first. */
  latestDocuments(accountId: string, limit: number): Promise<BillingDocumentTable[]>
  /** Takes a webhook of the provider, which may come twice, late, and in any order. */
  receive(body: Buffer, signature: string | undefined): Promise<void>
  /** Asks the provider to give money back. The books follow by its events. */
  refund(refund: WantedRefund, actor: Actor): Promise<Refunding>
  /** Compares the provider's payments with the books, and names each difference. */
  reconcile(sinceMs: number): Promise<readonly Difference[]>
}

export interface WantedRefund {
  readonly topupId: string
  readonly amount: NanoEuro
  /** The provider gives money back once for each. */
  readonly reference: string
}

export type Refunding = 'asked' | 'not_paid' | 'too_much'

export interface PaymentsOptions {
  readonly store: Store
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly provider: PaymentProvider
  readonly sandbox?: Sandbox | undefined
  readonly seller: Seller
}

export function createPayments(options: PaymentsOptions): Payments {
  const { store, clock, provider, seller } = options
  const { within } = options.accounts
  const db = withTables<PaymentTables>(store.db)
  const reads = withTables<PaymentTables>(store.reads)
  const documents = createDocuments({
    seller,
    describeBuyer: (tx, accountId) => within.describeOwner(tx, accountId),
  })
  const tools: BookingTools = { within, ledger: options.ledger, documents }
  const find = (id: string) => findTopup(reads, id)

  return {
    provider,
    sandbox: options.sandbox,
    find,
    list: (filter, limit) => selectTopups(reads, filter, limit),
    ...createOpening(db, provider, clock),
    documents: (topupId) => selectDocuments(reads, topupId),
    findDocument: (number) => findDocument(reads, number),
    latestDocuments: (accountId, limit) => selectLatestDocuments(reads, accountId, limit),
    async receive(body, signature) {
      const event = await provider.readEvent(body, signature)
      if (event) await keepAndBook(db, options, tools, event)
    },
    async refund({ topupId, amount, reference }, actor) {
      const topup = await find(topupId)
      if (topup?.state !== 'paid' || topup.payment_id === null) return 'not_paid'
      if (topup.refunded_nano + amount > topup.amount_nano) return 'too_much'
      await provider.refund({ topupId, paymentId: topup.payment_id, amount, reference })
      const details = { topup_id: topupId, amount_eur: formatEuros(amount), reference }
      const deed = { actor, atMs: clock.nowMs() }
      await db
        .transaction()
        .execute((tx) => recordAudit(tx, deed, 'topup.refund_asked', topup.account_id, details))
      return 'asked'
    },
    reconcile: (sinceMs) => reconcile(reads, provider, sinceMs),
  }
}

/** One transaction for each event: kept and booked, or neither, and then the provider sends it again. */
async function keepAndBook(
  db: Kysely<PaymentTables>,
  { accounts, clock, log }: PaymentsOptions,
  tools: BookingTools,
  event: PaymentEvent,
): Promise<void> {
  const atMs = clock.nowMs()
  const booked = await inTransaction(db, async (tx) => {
    const topup = await findTopupOf(tx, event)
    const isNew = await insertEvent(tx, event, topup?.id, atMs)
    if (!topup) return undefined
    // An event that came before is booked again too: nothing of it is booked twice, and what a crash
    // or an older version left out is.
    if (isNew && event.paymentId !== undefined && topup.payment_id === null) {
      await tx
        .updateTable('topup')
        .set({ payment_id: event.paymentId })
        .where('id', '=', topup.id)
        .execute()
    }
    return bookPosition(tx, tools, topup.id, atMs)
  })
  logEvent(log, event, booked)
  if (booked) accounts.within.changed(booked.account_id)
}

function logEvent(log: Log, { id, kind }: PaymentEvent, booked: TopupTable | undefined): void {
  const fields = { event: id, kind, topup_id: booked?.id ?? null, state: booked?.state ?? null }
  if (!booked) log.warn(fields, 'a payment event is of no top-up that is known yet')
  else if (booked.state !== 'mismatched') log.info(fields, 'payment event')
  else log.error(fields, 'paid otherwise than asked: not credited')
}

async function findTopupOf(
  tx: Transaction<PaymentTables>,
  { topupId, sessionId, paymentId }: PaymentEvent,
): Promise<TopupTable | undefined> {
  for (const [column, value] of [
    ['id', topupId],
    ['session_id', sessionId],
    ['payment_id', paymentId],
  ] as const) {
    if (value === undefined) continue
    const found = await tx
      .selectFrom('topup')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    if (found) return found
  }
  return undefined
}

async function insertEvent(
  tx: Transaction<PaymentTables>,
  event: PaymentEvent,
  topupId: string | undefined,
  atMs: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payment_event')
    .values({
      id: event.id,
      kind: event.kind,
      topup_id: topupId ?? null,
      payment_id: event.paymentId ?? null,
      dispute_id: event.disputeId ?? null,
      amount_nano: event.amount ?? null,
      currency: event.currency ?? null,
      created_at: event.createdAtMs,
      received_at: atMs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}

async function findTopup(db: Kysely<PaymentTables>, id: string): Promise<TopupTable | undefined> {
  if (id.includes('\0')) return undefined
  return db.selectFrom('topup').selectAll().where('id', '=', id).executeTakeFirst()
}
