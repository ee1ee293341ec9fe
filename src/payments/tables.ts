import type { NanoEuro } from '#platform/money.ts'
import type { StoredTables } from '#platform/store/index.ts'
import type { SandboxAct } from './sandbox-act.ts'

export type ProviderName = 'stripe' | 'sandbox'

/**
 * `open`: nobody has paid yet. `pending`: the buyer did their part, the money is under way.
 * `mismatched`: something was paid that is not what was asked for; it is never credited.
 */
export type TopupState = 'open' | 'pending' | 'paid' | 'failed' | 'expired' | 'mismatched'

/** One attempt of a person to pay money in. */
export interface TopupTable {
  id: string
  account_id: string
  amount_nano: NanoEuro
  provider: ProviderName
  is_test: 0 | 1
  state: TopupState
  /** The provider's ids of the checkout and of the payment, once they are known. */
  session_id: string | null
  payment_id: string | null
  /** What of it was given back, all refunds together. */
  refunded_nano: NanoEuro
  dispute: 'open' | 'won' | 'lost' | null
  /** 1 where a refund or a dispute of it suspended the account. */
  suspended_account: 0 | 1
  created_at: number
  paid_at: number | null
}

/** What the provider told us, once each: nothing of the buyer, only what the books follow from. */
export interface PaymentEventTable {
  id: string
  kind: PaymentEventKind
  topup_id: string | null
  payment_id: string | null
  dispute_id: string | null
  amount_nano: NanoEuro | null
  currency: string | null
  /** By the provider's clock. */
  created_at: number
  received_at: number
}

export type PaymentEventKind =
  | 'paid'
  | 'pending'
  | 'failed'
  | 'expired'
  /** `amount_nano` is what was refunded so far, all refunds together. */
  | 'refunded'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'

/** A receipt or a credit note as it was issued. Never changed. */
export interface BillingDocumentTable {
  /** Without gaps in each series and year, e.g. "R-2026-000001". */
  number: string
  kind: 'receipt' | 'credit_note'
  topup_id: string
  account_id: string
  /** What was paid or given back, tax included. */
  amount_nano: NanoEuro
  /** JSON: the seller's name, address, VAT id and rate as they were then. */
  seller: string
  buyer: string
  issued_at: number
}

export interface DocumentCounterTable {
  /** The series and its year, e.g. "R-2026". */
  series: string
  last_number: number
}

/** What the sandbox knows of a checkout, as Stripe would. */
export interface SandboxPaymentTable {
  session_id: string
  payment_id: string
  topup_id: string
  amount_cents: number
  refunded_cents: number
  state: 'open' | 'pending' | 'paid' | 'failed' | 'expired'
  return_url: string
  created_at: number
  dispute: 'open' | 'won' | 'lost' | null
  /** What the bank took when the dispute was opened. */
  disputed_cents: number
}

/** What the sandbox has to tell: written with what it is of, told after that is durable. */
export interface SandboxEventTable {
  id: string
  session_id: string
  act: SandboxAct
  /** JSON, as it is sent. */
  payload: string
  created_at: number
  /** Null until it has arrived. */
  told_at: number | null
}

export interface PaymentTables {
  topup: TopupTable
  payment_event: PaymentEventTable
  billing_document: BillingDocumentTable
  document_counter: DocumentCounterTable
  sandbox_payment: SandboxPaymentTable
  sandbox_event: SandboxEventTable
}

export const paymentTables: StoredTables<PaymentTables> = {
  topup: { sums: ['amount_nano', 'refunded_nano'], by: 'state' },
  payment_event: {},
  billing_document: { sums: ['amount_nano'], by: 'kind' },
  document_counter: {},
  sandbox_payment: {},
  sandbox_event: {},
}
