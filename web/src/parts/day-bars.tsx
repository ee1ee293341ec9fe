import { useState, type PointerEvent } from 'react'
import { writeDay } from '../format/times.ts'
import { useSpeech, useWords } from '../words/language.tsx'
import { findDay, findTop, layOutBars, type Bar, type DayStack } from './day-bars-layout.ts'
import { DayReadout, fillOf, type WholeRange } from './day-readout.tsx'
import { partWords } from './words.ts'

const HEIGHT = 200
/** Narrower, a day cannot be pointed at: the bars scroll in their frame instead. */
const MIN_DAY = 3

/**
 * Bars of UTC days, stacked by series. The figures of a day are read by pointing at it or by the arrow
 * keys; there has to be a table of them beside it.
 */
export function DayBars({
  summary,
  days,
  whole,
  writeTick,
  isWhole = false,
  height = HEIGHT,
}: {
  /** What the bars show, for whoever cannot see them. */
  readonly summary: string
  readonly days: readonly DayStack[]
  readonly whole: WholeRange
  readonly writeTick: (value: number) => string
  /** Whether figures are whole numbers. */
  readonly isWhole?: boolean
  readonly height?: number
}) {
  const [chosen, setChosen] = useState<number>()
  const top = findTop(days, isWhole)
  return (
    <figure className="flex min-w-0 flex-col gap-4">
      <DayReadout day={chosen === undefined ? undefined : days[chosen]} whole={whole} />
      <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs text-soft">
        <div
          aria-hidden="true"
          style={{ height }}
          className="flex flex-col justify-between text-right leading-none tabular-nums"
        >
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{writeTick(value)}</span>
          ))}
        </div>
        <div className="min-w-0 overflow-x-auto">
          <div style={{ minWidth: days.length * MIN_DAY }}>
            <Plot
              summary={summary}
              days={days}
              bars={layOutBars(days, top, height)}
              height={height}
              chosen={chosen}
              onChoose={setChosen}
            />
            <Ends days={days} />
          </div>
        </div>
      </div>
    </figure>
  )
}

function Plot({
  summary,
  days,
  bars,
  height,
  chosen,
  onChoose,
}: {
  readonly summary: string
  readonly days: readonly DayStack[]
  readonly bars: readonly Bar[]
  readonly height: number
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}) {
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onChoose(findDay((clientX - left) / width, days.length))
  }
  return (
    <div
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => {
        // A finger that is lifted leaves what it has chosen.
        if (pointerType === 'mouse') onChoose(undefined)
      }}
      className="relative rounded has-focus-visible:outline-2 has-focus-visible:outline-accent"
    >
      <svg role="img" aria-label={summary} width="100%" height={height} className="block">
        {chosen !== undefined && (
          <rect
            x={`${(chosen * 100) / days.length}%`}
            width={`${100 / days.length}%`}
            height={height}
            className="fill-tint"
          />
        )}
        {[0.5, height / 2, height - 0.5].map((y) => (
          <line key={y} x2="100%" y1={y} y2={y} className="stroke-line" />
        ))}
        {bars.map(({ day, x, width, pieces }) =>
          pieces.map(({ series, y, height: tall }) => (
            <rect
              key={`${day} ${series}`}
              x={`${x}%`}
              y={y}
              width={`${width}%`}
              height={tall}
              className={fillOf(series)}
            />
          )),
        )}
      </svg>
      <DayKeys days={days} chosen={chosen} onChoose={onChoose} />
    </div>
  )
}

/** Nothing to see: the browser's own slider, which the arrow keys move from day to day. */
function DayKeys({
  days,
  chosen,
  onChoose,
}: {
  readonly days: readonly DayStack[]
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}) {
  const words = useWords(partWords)
  const { locale } = useSpeech()
  const last = days.length - 1
  const at = days[chosen ?? last]
  const parts = at?.parts.map(({ series, text }) => `${series} ${text}`).join(', ')
  return (
    <input
      type="range"
      min={0}
      max={last}
      value={chosen ?? last}
      aria-label={words.day}
      aria-valuetext={at && `${writeDay(at.day, locale)}: ${at.total}${parts && ` (${parts})`}`}
      onChange={({ target }) => onChoose(Number(target.value))}
      onFocus={({ target }) => onChoose(Number(target.value))}
      onBlur={() => onChoose(undefined)}
      className="pointer-events-none absolute inset-0 size-full opacity-0"
    />
  )
}

function Ends({ days }: { readonly days: readonly DayStack[] }) {
  const { locale } = useSpeech()
  const [first, last] = [days[0], days.at(-1)]
  const middle = days.length > 20 ? days[Math.floor(days.length / 2)] : undefined
  const shown = [first, middle, last === first ? undefined : last]
  return (
    <div aria-hidden="true" className="mt-1 flex justify-between gap-2">
      {shown.map((one) => one && <span key={one.day}>{writeDay(one.day, locale)}</span>)}
    </div>
  )
}
