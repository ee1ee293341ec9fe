import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { EmptyState, Loaded } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { Euros } from '../euros.tsx'
import { Moment } from '../moment.tsx'
import { topupWords } from './words.ts'

export function DocumentsDialog({
  topupId,
  onClose,
}: {
  readonly topupId: string
  readonly onClose: () => void
}) {
  const words = useWords(topupWords)
  const documents = useQuery({
    queryKey: ['operator', 'documents', topupId],
    queryFn: ({ signal }) =>
      call(
        'get /operator/v1/topups/{topup_id}/documents',
        { params: { topup_id: topupId } },
        signal,
      ),
  })
  return (
    <Dialog title={words.documentsOf} onClose={onClose}>
      <Loaded query={documents}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={words.noDocuments}>
              <p>{words.noDocumentsText}</p>
            </EmptyState>
          ) : (
            <ul className="flex flex-col gap-3">
              {data.map(({ number, kind, amount_eur: amount, issued_at: at }) => (
                <li key={number} className="flex flex-wrap justify-between gap-x-4">
                  <a
                    href={`/documents/${encodeURIComponent(number)}`}
                    className="inline-block min-h-6 text-accent underline underline-offset-4"
                  >
                    {words.kinds[kind]} {number}
                  </a>
                  <span className="text-soft">
                    <Euros amount={amount} /> · <Moment at={at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
