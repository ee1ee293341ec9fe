import type { NanoEuro } from '#platform/money.ts'

/** What each account has now: the sum of its transfers, kept so that no request need add them up. */
export interface BalanceTable {
  account_id: string
  balance_nano: NanoEuro
  deposits_nano: NanoEuro
  spent_day: string
  spent_nano: NanoEuro
  version: number
}

/** Double entry: each row moves an amount out of `debit` and into `credit`. Never changed, never deleted. */
export interface TransferTable {
  /** What it is for, e.g. "charge:req_…": unique, so that nothing is booked twice. */
  reference: string
  debit: string
  credit: string
  amount_nano: NanoEuro
  kind: TransferKind
  created_at: number
}

export type TransferKind = 'deposit' | 'grant' | 'charge' | 'write_off'

/** One row for each chat request that reached an upstream. No column could hold any content. */
export interface ReceiptTable {
  request_id: string
  account_id: string
  key_id: string
  brand: string
  model: string
  prompt_tokens: number
  completion_tokens: number
  usage_source: UsageSource
  charged_nano: NanoEuro
  written_off_nano: NanoEuro
  finish_reason: string | null
  ended: Ending
  /** The UTC day that the charge counts for. */
  day: string
  created_at: number
  charged_at: number
  duration_ms: number
  first_token_ms: number | null
}

export type UsageSource = 'upstream' | 'counted'
export type Ending = 'completed' | 'client_left' | 'upstream_failed'

/** Totals for charts and ceilings, so that neither reads receipts. */
export interface AccountDayTable {
  account_id: string
  day: string
  brand: string
  key_id: string
  requests: number
  prompt_tokens: number
  completion_tokens: number
  charged_nano: NanoEuro
  written_off_nano: NanoEuro
}

export interface LedgerTables {
  balance: BalanceTable
  transfer: TransferTable
  receipt: ReceiptTable
  account_day: AccountDayTable
}

/** The house's own books. An account's book is its id. */
export const BOOKS = {
  /** Money that came in from outside, by top-ups. Its balance is below zero by as much. */
  cash: 'book:cash',
  /** Credit that the operator gave away. */
  grants: 'book:grants',
  /** What requests have cost. */
  revenue: 'book:revenue',
  /** What requests cost beyond what their account had left. */
  writtenOff: 'book:written_off',
} as const
