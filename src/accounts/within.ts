import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import { describeOwner } from './account.ts'
import { recordAudit, type AuditDetails, type Deed } from './audit.ts'
import type { AccountsTables, AuditAction } from './tables.ts'
import { setSuspended } from './update-account.ts'

/** What other rooms do to accounts within transactions of their own. */
export interface Within {
  recordAudit(tx: AnyTransaction, entry: NewAuditEntry): Promise<void>
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

export interface NewAuditEntry {
  readonly deed: Deed
  readonly action: AuditAction
  readonly accountId: string | null
  readonly details: AuditDetails
}

export function createWithin(changed: (accountId: string) => void): Within {
  return {
    recordAudit: (tx, { deed, action, accountId, details }) =>
      recordAudit(withTables<AccountsTables>(tx), deed, action, accountId, details),
    setSuspended: (tx, accountId, suspended, deed) =>
      setSuspended(withTables<AccountsTables>(tx), accountId, suspended, deed),
    describeOwner: (tx, accountId) => describeOwner(withTables<AccountsTables>(tx), accountId),
    changed,
  }
}
