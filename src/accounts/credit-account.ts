import type { Transaction } from 'kysely'
import { formatEuros } from '#platform/money.ts'
import type { Credit, Crediting, Ledger } from '#ledger/index.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'

export type AccountCredit = Pick<Credit, 'kind' | 'amount' | 'reference'>

/** Books a credit and writes down who gave it; a repeated one changes nothing. */
export async function creditAccount(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  credit: AccountCredit & { readonly accountId: string },
  deed: Deed,
): Promise<Crediting> {
  // The books have references of other kinds too: a prefix keeps a caller's from meeting one.
  const reference = `credit:${credit.reference}`
  const crediting = await ledger.credit(tx, { ...credit, reference, atMs: deed.atMs })
  if (crediting.kind === 'booked') {
    const { accountId, kind, amount } = credit
    const details = { kind, amount_eur: formatEuros(amount), reference: credit.reference }
    await recordAudit(tx, deed, 'credit.booked', accountId, details)
  }
  return crediting
}
