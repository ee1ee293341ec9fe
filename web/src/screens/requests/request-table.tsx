import { Link } from '@tanstack/react-router'
import { useKeyNames } from '../../api/key-names.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { writeDuration, writeSecond } from '../../format/times.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { Ending } from './ending.tsx'
import type { Receipt } from './requests-query.ts'
import { requestsWords } from './words.ts'

export function RequestTable({ rows }: { readonly rows: readonly Receipt[] }) {
  const words = useWords(requestsWords)
  const figures = useFigures()
  const keys = useKeyNames()
  const { columns } = words
  return (
    <DataTable
      caption={words.list}
      rows={rows}
      keyOf={(row) => row.request_id}
      columns={[
        {
          title: columns.time,
          cell: (row) => (
            <div className="flex flex-col items-start gap-1">
              <TimeLink receipt={row} />
              <RequestId id={row.request_id} />
            </div>
          ),
        },
        { title: columns.model, cell: (row) => row.brand },
        {
          title: columns.ended,
          cell: (row) => (
            <span className="flex items-center gap-2 whitespace-nowrap">
              <Ending ended={row.ended} />
              <span className="text-soft">{row.finish_reason}</span>
            </span>
          ),
        },
        ...figures,
        {
          title: columns.key,
          cell: (row) => (
            <span className="block max-w-48 min-w-24 wrap-anywhere">
              {keys.get(row.key_id)?.name ?? row.key_id}
            </span>
          ),
        },
      ]}
    />
  )
}

function useFigures(): readonly Column<Receipt>[] {
  const { columns } = useWords(requestsWords)
  const { locale } = useSpeech()
  const figure = (title: string, write: (row: Receipt) => string): Column<Receipt> => ({
    title,
    isFigure: true,
    cell: write,
  })
  const count = (tokens: number): string => writeCount(tokens, locale)
  return [
    figure(columns.timing, ({ first_token_ms: first, duration_ms: whole }) =>
      [first === null ? '–' : writeDuration(first, locale), writeDuration(whole, locale)].join(
        ' / ',
      ),
    ),
    figure(
      columns.tokens,
      (row) => `${count(row.prompt_tokens)} → ${count(row.completion_tokens)}`,
    ),
    figure(columns.cost, (row) => writeEuros(row.cost_eur, locale)),
  ]
}

/** Opens all that is known of the request; the address says which is open. */
function TimeLink({ receipt }: { readonly receipt: Receipt }) {
  const words = useWords(requestsWords)
  const { locale } = useSpeech()
  const time = writeSecond(receipt.created_at, locale)
  return (
    <Link
      to="/console/requests"
      search={(before) => ({ ...before, request: receipt.request_id })}
      replace
      resetScroll={false}
      aria-label={words.details(time)}
      title={writeSecond(receipt.created_at, locale, 'UTC')}
      className="inline-block min-h-6 whitespace-nowrap text-accent underline underline-offset-4"
    >
      <time dateTime={new Date(receipt.created_at).toISOString()}>{time}</time>
    </Link>
  )
}

/** Its end tells requests apart: ids begin with their time. */
function RequestId({ id }: { readonly id: string }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <code className="font-mono text-xs text-soft" title={id}>
        …{id.slice(-8)}
      </code>
      <CopyButton text={id} isSmall />
    </span>
  )
}
