import { Link } from '@tanstack/react-router'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { writeDay, writeMoment } from '../../format/times.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Movement } from './movements.ts'
import { balanceWords } from './words.ts'

export function MovementTable({ rows }: { readonly rows: readonly Movement[] }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  return (
    <DataTable
      caption={words.statement}
      rows={rows}
      keyOf={({ kind, day, reference }) => `${kind} ${day} ${reference}`}
      columns={[
        {
          title: words.when,
          cell: ({ day, at }) => (
            <span className="whitespace-nowrap">
              {at === null ? `${writeDay(day, locale)} UTC` : writeMoment(at, locale)}
            </span>
          ),
        },
        {
          title: words.amount,
          isFigure: true,
          cell: ({ amount_eur: amount }) => (
            <span className={amount.startsWith('-') ? '' : 'font-medium text-good'}>
              {writeEuros(amount, locale, 'exceptZero')}
            </span>
          ),
        },
        { title: words.what, cell: (movement) => <What movement={movement} /> },
      ]}
    />
  )
}

function What({ movement }: { readonly movement: Movement }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const { kind, reference, requests, topup_id: topupId } = movement
  return (
    <div className="flex max-w-md min-w-40 flex-wrap gap-x-3 gap-y-1">
      <span>{words.kinds[kind]}</span>
      {requests !== null && (
        <span className="text-soft">
          {requests === 1 ? words.usedByOne : words.usedBy(writeCount(requests, locale))}
        </span>
      )}
      {kind === 'usage' && <DayLinks day={movement.day} />}
      {/* What a top-up is known by says nothing that its own list does not say better. */}
      {reference !== null && topupId === null && (
        <code className="font-mono text-xs wrap-anywhere text-soft">{reference}</code>
      )}
    </div>
  )
}

/** What a day's use was made of. */
function DayLinks({ day }: { readonly day: string }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const written = writeDay(day, locale)
  const look = 'inline-block min-h-6 text-accent underline underline-offset-4'
  return (
    <>
      <Link
        to="/console/usage"
        search={{ range: 'custom', from: day, to: day }}
        aria-label={words.ofDay(words.seeUsage, written)}
        className={look}
      >
        {words.seeUsage}
      </Link>
      <Link
        to="/console/requests"
        search={{ from: day, to: day }}
        aria-label={words.ofDay(words.seeRequests, written)}
        className={look}
      >
        {words.seeRequests}
      </Link>
    </>
  )
}
