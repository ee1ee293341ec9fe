import { compareEuros } from '../../format/exact-euros.ts'
import { writeEuros } from '../../format/figures.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { SpentDay } from './week-of.ts'
import { homeWords } from './words.ts'

const HEIGHT = 64
const STEP = 20
const WIDTH = 14
/** What was spent at all is seen. */
const LEAST = 2

/** Seven bars. The figures behind them are in the table below. */
export function WeekBars({
  days,
  total,
}: {
  readonly days: readonly SpentDay[]
  readonly total: string
}) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const costs = days.map(({ costEur }) => costEur)
  const most = costs.toSorted(compareEuros).at(-1) ?? '0.00'
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' })
  const heightOf = (cost: string): number =>
    Number(cost) > 0 ? Math.max(LEAST, (Number(cost) / Number(most)) * HEIGHT) : 0
  return (
    <svg
      role="img"
      aria-label={words.weekChart(writeEuros(total, locale), writeEuros(most, locale))}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT + 16}`}
      className="h-28 w-full"
    >
      {days.map(({ day, costEur }, index) => (
        <g key={day} transform={`translate(${index * STEP + (STEP - WIDTH) / 2} 0)`}>
          <rect y={HEIGHT} width={WIDTH} height="0.75" className="fill-edge" />
          <rect
            y={HEIGHT - heightOf(costEur)}
            width={WIDTH}
            height={heightOf(costEur)}
            rx="1.5"
            className="fill-accent"
          />
          <text x={WIDTH / 2} y={HEIGHT + 12} textAnchor="middle" className="fill-soft text-[8px]">
            {weekday.format(Date.parse(day))}
          </text>
        </g>
      ))}
    </svg>
  )
}
