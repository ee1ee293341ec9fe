import type { NanoEuro } from './money.ts'

/**
 * What an account has, as the ledger last wrote it and the gate needs to know it. Always the whole
 * state, never a change: whoever keeps a copy replaces it when the version is higher, so copies
 * cannot drift, whatever order news arrives in.
 */
export interface Funds {
  readonly balance: NanoEuro
  /** Paid top-ups less refunds. Grants are not among them. */
  readonly deposits: NanoEuro
  /** The last UTC day with a charge ("" before the first), and what was charged on it. */
  readonly spentDay: string
  readonly spent: NanoEuro
  /** Rises by one with every change of these figures. */
  readonly version: number
}

/**
 * What was charged to one key on its account's last UTC day with a charge: the whole state, as with
 * funds, of the same version as the account's funds at that moment.
 */
export interface KeySpend {
  readonly day: string
  readonly spent: NanoEuro
  readonly version: number
}
