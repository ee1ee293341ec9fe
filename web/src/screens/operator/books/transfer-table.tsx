import { writeDay } from '../../../format/times.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { AccountLink } from '../account-link.tsx'
import { Euros } from '../euros.tsx'
import { booksWords } from './words.ts'
import type { LedgerTransfer } from './write-transfers.ts'

export function TransferTable({ transfers }: { readonly transfers: readonly LedgerTransfer[] }) {
  const words = useWords(booksWords)
  const { locale } = useSpeech()
  return (
    <DataTable
      caption={words.list}
      rows={transfers}
      keyOf={({ at, reference }) => `${at} ${reference}`}
      columns={[
        {
          title: words.date,
          cell: ({ date }) => <span className="whitespace-nowrap">{writeDay(date, locale)}</span>,
        },
        { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
        { title: words.debit, cell: ({ debit }) => <Book name={debit} /> },
        { title: words.credit, cell: ({ credit }) => <Book name={credit} /> },
        {
          title: words.amount,
          isFigure: true,
          cell: (transfer) => <Euros amount={transfer.amount_eur} />,
        },
        {
          title: words.reference,
          cell: ({ reference }) => (
            <span className="inline-block min-w-40 wrap-anywhere">{reference}</span>
          ),
        },
      ]}
    />
  )
}

/** A book of the house, all accounts together, or one account. */
function Book({ name }: { readonly name: string }) {
  const words = useWords(booksWords)
  if (name === 'accounts') return words.allAccounts
  if (name.startsWith('book:')) return <code className="font-mono text-xs">{name}</code>
  return (
    <span className="inline-block min-w-32">
      <AccountLink accountId={name} />
    </span>
  )
}
