import { useState } from 'react'
import { call, Problem, type ReplyTo } from '../../../api/client.ts'
import { writeEuros } from '../../../format/figures.ts'
import { Notice } from '../../../parts/notice.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { DocumentsDialog } from './documents-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { TopupTable } from './topup-table.tsx'
import { topupWords } from './words.ts'

export type Topup = ReplyTo<'get /operator/v1/topups'>['data'][number]

/** Of one account, or of all where none is given. */
export function TopupList({ accountId }: { readonly accountId?: string }) {
  const words = useWords(topupWords)
  const { locale } = useSpeech()
  const [refunding, setRefunding] = useState<Topup>()
  const [reading, setReading] = useState<Topup>()
  const [refunded, setRefunded] = useState<string>()
  const pages = usePages(['topups', accountId], (cursor, signal) =>
    call('get /operator/v1/topups', { query: { cursor, account_id: accountId ?? '' } }, signal),
  )
  if (isOff(pages.error)) return <PaymentsOff />
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {refunded !== undefined && (
        <Notice kind="good">{words.asked(writeEuros(refunded, locale))}</Notice>
      )}
      <PagedRows pages={pages} empty={<NoTopups />}>
        {(topups) => (
          <TopupTable
            topups={topups}
            hasAccounts={accountId === undefined}
            onRefund={setRefunding}
            onDocuments={setReading}
          />
        )}
      </PagedRows>
      {refunding && (
        <RefundDialog
          topup={refunding}
          onDone={setRefunded}
          onClose={() => setRefunding(undefined)}
        />
      )}
      {reading && <DocumentsDialog topupId={reading.id} onClose={() => setReading(undefined)} />}
    </div>
  )
}

/** A list can contradict nothing else than that there are none. */
function isOff(error: Error | null): boolean {
  return error instanceof Problem && error.code === 'conflict'
}

function PaymentsOff() {
  const words = useWords(topupWords)
  return (
    <EmptyState title={words.off}>
      <p>{words.offText}</p>
    </EmptyState>
  )
}

function NoTopups() {
  const words = useWords(topupWords)
  return (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
    </EmptyState>
  )
}
