import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import { describeOwner } from './account.ts'
import type { Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'
import { setSuspended } from './update-account.ts'

/** What other rooms do to accounts within transactions of their own. */
export interface Within {
  /** False where it was so already. */
  setSuspended(
    tx: AnyTransaction,
    accountId: string,
    suspended: boolean,
    deed: Deed,
  ): Promise<boolean>
  /** Whose an account is, for what is issued to them: their name and address. */
  describeOwner(tx: AnyTransaction, accountId: string): Promise<string>
  /** To be called once the transaction is durable: copies of the account are old. */
  changed(accountId: string): void
}

export function createWithin(changed: (accountId: string) => void): Within {
  return {
    setSuspended: (tx, accountId, suspended, deed) =>
      setSuspended(withTables<AccountsTables>(tx), accountId, suspended, deed),
    describeOwner: (tx, accountId) => describeOwner(withTables<AccountsTables>(tx), accountId),
    changed,
  }
}
