import type { Standing } from '../../api/standing.ts'
import { writeCount } from '../../format/figures.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

const LITTLE = 0.2

interface Allowance {
  readonly limit: number
  readonly left: number
}

/** What is left of the minute under way. */
export function MinuteCard({
  standing: { windows, as_of: asOf },
  readAtMs,
}: {
  readonly standing: Standing
  readonly readAtMs: number
}) {
  const words = useWords(homeWords)
  const { requests, tokens, resets_at: resetsAt } = windows
  const isUntouched = requests.left === requests.limit && tokens.left === tokens.limit
  return (
    <Card title={words.minute}>
      <div className="flex flex-col gap-4">
        <Gauge label={words.requests} allowance={requests} />
        <Gauge label={words.tokens} allowance={tokens} />
        <p className="text-sm text-soft">
          {isUntouched ? (
            words.minuteUntouched
          ) : (
            <span aria-hidden="true">
              {words.minuteEnds} <Countdown leftMs={resetsAt - asOf} fromMs={readAtMs} />
            </span>
          )}
        </p>
      </div>
    </Card>
  )
}

function Gauge({
  label,
  allowance: { left, limit },
}: {
  readonly label: string
  readonly allowance: Allowance
}) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  return (
    <Meter
      label={label}
      text={words.leftOf(writeCount(left, locale), writeCount(limit, locale))}
      part={left / limit}
      kind={left <= limit * LITTLE ? 'warn' : 'accent'}
    />
  )
}
