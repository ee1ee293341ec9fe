import type { NanoEuro } from '#platform/money.ts'
import type { ReversalKind } from './reversal.ts'
import type { StoredTables } from '#platform/store/index.ts'

/** What each account has now: the sum of its transfers, kept so that no request need add them up. */
export interface BalanceTable {
  account_id: string
  balance_nano: NanoEuro
  deposits_nano: NanoEuro
  spent_day: string
  spent_nano: NanoEuro
  version: number
  /** How often money was added to it. */
  raises: number
  /** What it was after the last time. */
  raised_to_nano: NanoEuro
}

/**
 * Double entry: each row moves an amount out of `debit` and into `credit`. Never changed; deleted only
 * when its month is closed, and then there is one for the account with the sum of them.
 */
export interface TransferTable {
  /** What it is for, e.g. "charge:req_…": unique, so that nothing is booked twice. */
  reference: string
  debit: string
  credit: string
  amount_nano: NanoEuro
  kind: TransferKind
  created_at: number
}

export type TransferKind = 'deposit' | 'grant' | 'charge' | 'write_off' | ReversalKind

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

/** How far the books are closed: one row, or none where no month is. See sql/close-months.sql. */
export interface ClosingTable {
  only_row: 1
  /** The last UTC day whose receipts are deleted. */
  through_day: string
  /** Where the ids of the first month begin that is open. */
  open_from: string
}

export interface LedgerTables {
  balance: BalanceTable
  transfer: TransferTable
  receipt: ReceiptTable
  account_day: AccountDayTable
  closing: ClosingTable
}

export const ledgerTables: StoredTables<LedgerTables> = {
  balance: { sums: ['balance_nano', 'deposits_nano'] },
  transfer: { sums: ['amount_nano'], by: 'kind' },
  receipt: { sums: ['charged_nano', 'written_off_nano', 'prompt_tokens', 'completion_tokens'] },
  account_day: {
    sums: ['requests', 'charged_nano', 'written_off_nano', 'prompt_tokens', 'completion_tokens'],
  },
  closing: {},
}

/** The house's own books. An account's book is its id. */
export const BOOKS = {
  /** Money that came in from outside, by top-ups. Its balance is below zero by as much. */
  cash: 'book:cash',
  /** Deposits that a buyer's bank has taken back, until it is decided who was right. */
  disputed: 'book:disputed',
  /** Credit that the operator gave away. */
  grants: 'book:grants',
  /** What requests have cost. */
  revenue: 'book:revenue',
  /** What requests cost beyond what their account had left. */
  writtenOff: 'book:written_off',
} as const
