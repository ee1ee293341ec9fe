import { useState } from 'react'
import type { Usage, UsageDay } from '../../api/usage.ts'
import { writeCount } from '../../format/figures.ts'
import { writeDay } from '../../format/times.ts'
import { Button } from '../../parts/button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { partWords } from '../../parts/words.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import { useFigureColumns } from './figure-columns.ts'
import { usageWords } from './words.ts'
import { writeUsageCsv } from './write-usage-csv.ts'

/** More at once would make a slow phone wait. */
const STEP = 100

/** The twin of the bars: every figure that they show, and as a file. */
export function UsageTable({ usage }: { readonly usage: Usage }) {
  const words = useWords(usageWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <details
        className="min-w-0 open:w-full"
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary className="inline-block min-h-10 py-2 font-medium text-accent underline underline-offset-4">
          {words.table}
        </summary>
        {isOpen && <Rows days={usage.days.toReversed()} />}
      </details>
      <DownloadButton
        label={words.download}
        fileName={`usage-${usage.from}-${usage.to}.csv`}
        write={() => writeUsageCsv(usage.days.toReversed())}
      />
    </div>
  )
}

/** Newest first, as many as were asked for. */
function Rows({ days }: { readonly days: readonly UsageDay[] }) {
  const words = useWords(usageWords)
  const { more } = useWords(partWords)
  const { locale } = useSpeech()
  const [count, setCount] = useState(STEP)
  const figures = useFigureColumns()
  const shown = Math.min(count, days.length)
  return (
    <div className="mt-2 flex flex-col gap-3">
      <DataTable
        caption={words.tableCaption}
        rows={days.slice(0, shown)}
        keyOf={({ day, brand }) => `${day} ${brand}`}
        columns={[
          {
            title: words.columns.day,
            cell: ({ day }) => <span className="whitespace-nowrap">{writeDay(day, locale)}</span>,
          },
          { title: words.columns.model, cell: ({ brand }) => brand },
          ...figures,
        ]}
      />
      <div className="flex flex-wrap items-center gap-4 text-sm text-soft">
        <span>{words.rows(writeCount(shown, locale), writeCount(days.length, locale))}</span>
        <span>{words.withoutUse}</span>
        {shown < days.length && (
          <Button kind="second" onClick={() => setCount(shown + STEP)}>
            {more}
          </Button>
        )}
      </div>
    </div>
  )
}
