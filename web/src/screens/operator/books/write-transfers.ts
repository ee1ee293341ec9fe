import type { ReplyTo } from '../../../api/client.ts'
import { writeCsv } from '../../../format/write-csv.ts'

export type LedgerTransfer = ReplyTo<'get /operator/v1/ledger/transfers'>['data'][number]

/** The columns of `parley ledger export`. */
const HEADER = ['date', 'kind', 'debit', 'credit', 'account', 'amount_eur', 'reference']

/** As CSV: every amount to its last decimal, as the service tells it. */
export function writeTransfers(transfers: readonly LedgerTransfer[]): string {
  return writeCsv(
    HEADER,
    transfers.map(({ date, kind, debit, credit, account_id: account, ...rest }) => [
      date,
      kind,
      debit,
      credit,
      account ?? '',
      rest.amount_eur,
      rest.reference,
    ]),
  )
}
