import type { ReplyTo } from '../../../api/client.ts'
import { writeCsvLine } from '../../../format/write-csv-line.ts'

export type LedgerTransfer = ReplyTo<'get /operator/v1/ledger/transfers'>['data'][number]

/** The columns of `parley ledger export`. */
const HEADER = ['date', 'kind', 'debit', 'credit', 'account', 'amount_eur', 'reference']

/** As CSV: every amount to its last decimal, as the service tells it. */
export function writeTransfers(transfers: readonly LedgerTransfer[]): string {
  return [writeCsvLine(HEADER), ...transfers.map(writeTransfer)].join('')
}

function writeTransfer(transfer: LedgerTransfer): string {
  const { date, kind, debit, credit, account_id: account, reference } = transfer
  const amount = { amount: transfer.amount_eur }
  return writeCsvLine([date, kind, debit, credit, account ?? '', amount, reference])
}
