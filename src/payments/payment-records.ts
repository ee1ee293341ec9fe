import { withTables, type Store } from '#platform/store/index.ts'
import { selectLatestDocuments } from './issued-documents.ts'
import { selectTopups } from './select-topups.ts'
import type { BillingDocumentTable, PaymentTables, TopupTable } from './tables.ts'

/** What is kept of payments, whether or not anybody takes them now. */
export interface PaymentRecords {
  /** Newest first; `before` is the id that the page before ended with. */
  topups(accountId: string, before: string | undefined, limit: number): Promise<TopupTable[]>
  /** Newest first. */
  documents(accountId: string, limit: number): Promise<BillingDocumentTable[]>
}

export function createPaymentRecords(store: Store): PaymentRecords {
  const reads = withTables<PaymentTables>(store.reads)
  return {
    topups: (accountId, before, limit) =>
      selectTopups(reads, { accountId, ...(before !== undefined && { before }) }, limit),
    documents: (accountId, limit) => selectLatestDocuments(reads, accountId, limit),
  }
}
