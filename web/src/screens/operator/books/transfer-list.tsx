import { call } from '../../../api/client.ts'
import { writeCount } from '../../../format/figures.ts'
import { DownloadButton } from '../../../parts/download-button.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { TransferTable } from './transfer-table.tsx'
import { booksWords } from './words.ts'
import { writeTransfers, type LedgerTransfer } from './write-transfers.ts'

const PAGE = '100'

export function TransferList({ from, to }: { readonly from: string; readonly to: string }) {
  const pages = usePages(['transfers', from, to], (cursor, signal) =>
    call('get /operator/v1/ledger/transfers', { query: { from, to, cursor, limit: PAGE } }, signal),
  )
  return (
    <PagedRows pages={pages} empty={<NoTransfers />}>
      {(transfers) => (
        <>
          <TransferTable transfers={transfers} />
          <Download transfers={transfers} hasMore={pages.hasNextPage} />
        </>
      )}
    </PagedRows>
  )
}

/** What is listed, and no more: a file never says that it is whole when it is not. */
function Download({
  transfers,
  hasMore,
}: {
  readonly transfers: readonly LedgerTransfer[]
  readonly hasMore: boolean
}) {
  const words = useWords(booksWords)
  const { locale } = useSpeech()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <DownloadButton
        label={words.download(writeCount(transfers.length, locale))}
        fileName={`books-${transfers[0]?.date}-${transfers.at(-1)?.date}.csv`}
        write={() => writeTransfers(transfers)}
      />
      {hasMore && <p className="text-sm text-soft">{words.partial}</p>}
    </div>
  )
}

function NoTransfers() {
  const words = useWords(booksWords)
  return (
    <EmptyState title={words.none}>
      <p>
        {words.noneText} <TextLink to="/console/operator/accounts">{words.accounts}</TextLink>.
      </p>
    </EmptyState>
  )
}
