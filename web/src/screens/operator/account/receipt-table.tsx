import { writeCount } from '../../../format/figures.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { Euros } from '../euros.tsx'
import { Moment } from '../moment.tsx'
import type { Receipt } from './receipt-list.tsx'
import { operatorAccountWords } from './words.ts'

export function ReceiptTable({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const { receipts: words } = useWords(operatorAccountWords)
  const { locale } = useSpeech()
  const count = (number: number) => writeCount(number, locale)
  const ms = (number: number | null) => (number === null ? '–' : words.milliseconds(count(number)))
  return (
    <DataTable
      caption={words.list}
      rows={receipts}
      keyOf={({ request_id: id }) => id}
      columns={[
        { title: words.at, cell: (receipt) => <Moment at={receipt.created_at} /> },
        { title: words.model, cell: ({ brand }) => brand },
        {
          title: words.tokens,
          isFigure: true,
          cell: (receipt) =>
            `${count(receipt.prompt_tokens)} / ${count(receipt.completion_tokens)}`,
        },
        {
          title: words.cost,
          isFigure: true,
          cell: (receipt) => <Euros amount={receipt.cost_eur} />,
        },
        {
          title: words.writtenOff,
          isFigure: true,
          cell: (receipt) => <Euros amount={receipt.written_off_eur} />,
        },
        { title: words.ended, cell: (receipt) => <Ending of={receipt} /> },
        { title: words.firstToken, isFigure: true, cell: (receipt) => ms(receipt.first_token_ms) },
        { title: words.duration, isFigure: true, cell: (receipt) => ms(receipt.duration_ms) },
        {
          title: words.request,
          cell: ({ request_id: id }) => (
            <code className="inline-block min-w-40 font-mono text-xs wrap-anywhere">{id}</code>
          ),
        },
      ]}
    />
  )
}

function Ending({ of: { ended, finish_reason: reason } }: { readonly of: Receipt }) {
  const { receipts: words } = useWords(operatorAccountWords)
  return (
    <>
      <p className="whitespace-nowrap">{words.endings[ended]}</p>
      {reason !== null && <p className="text-soft">{reason}</p>}
    </>
  )
}
