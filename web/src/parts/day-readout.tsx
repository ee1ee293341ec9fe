import { writeDay } from '../format/times.ts'
import { useSpeech, useWords } from '../words/language.tsx'
import type { DayPart, DayStack } from './day-bars-layout.ts'
import { partWords } from './words.ts'

/** What stands above the bars while no day is chosen: all of them together. */
export interface WholeRange {
  readonly title: string
  readonly total: string
  readonly parts: readonly Omit<DayPart, 'value'>[]
}

const FILLS: Readonly<Record<string, string>> = {
  air: 'fill-(--series-air)',
  prime: 'fill-(--series-prime)',
  nova: 'fill-(--series-nova)',
}

export function fillOf(series: string): string {
  return FILLS[series] ?? 'fill-edge'
}

/** The key to the colours, and the figures of the day that is chosen. */
export function DayReadout({
  day,
  whole,
}: {
  readonly day: DayStack | undefined
  readonly whole: WholeRange
}) {
  const words = useWords(partWords)
  const { locale } = useSpeech()
  const ofDay = new Map(day?.parts.map(({ series, text }) => [series, text]))
  return (
    <figcaption className="flex flex-col gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <strong className="text-2xl font-semibold tracking-tight tabular-nums">
          {day ? day.total : whole.total}
        </strong>
        <span className="text-soft">{day ? writeDay(day.day, locale) : whole.title}</span>
      </span>
      <span className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {whole.parts.map(({ series, text }) => (
          <span key={series} className="flex min-w-0 items-center gap-2">
            <svg aria-hidden="true" width="12" height="12" className="shrink-0">
              <rect width="12" height="12" rx="3" className={fillOf(series)} />
            </svg>
            <span className="min-w-0 wrap-anywhere">{series}</span>
            <span className="text-soft tabular-nums">
              {day ? (ofDay.get(series) ?? '–') : text}
            </span>
          </span>
        ))}
      </span>
      <span className="sr-only">{words.dayHint}</span>
    </figcaption>
  )
}
