import { operation } from './operator-operation.ts'
import { LedgerTransfer, TransferPage } from './schemas/ledger.ts'
import { listOf } from './schemas/operator.ts'

/** The operator's surface, where it is about the books. */
export const ledgerOperations = {
  listTransfers: operation('listTransfers', 'get', '/ledger/transfers', {
    summary: 'Money in and out, and what the requests of each day cost, oldest first',
    query: TransferPage,
    replies: { 200: ['A page of transfers.', listOf(LedgerTransfer, 'LedgerTransferList')] },
  }),
} as const
