import type { Standing } from '../../api/standing.ts'
import { writeCount } from '../../format/figures.ts'
import { writeClock } from '../../format/times.ts'
import { Meter } from '../../parts/meter.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { limitsWords } from './words.ts'

/** What is left of this minute: it follows the account's requests by itself. */
export function MinuteCard({ standing }: { readonly standing: Standing }) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const { requests, tokens, resets_at: resetsAt } = standing.windows
  const isFull = requests.left === requests.limit && tokens.left === tokens.limit
  return (
    <Card title={words.now}>
      <div className="flex flex-col gap-4">
        <Gauge label={words.requests} {...requests} />
        <Gauge label={words.tokens} {...tokens} />
        <p className="text-sm text-soft">
          {!isFull && `${words.resets(writeClock(resetsAt, locale))} `}
          {words.nowText}
        </p>
      </div>
    </Card>
  )
}

const FEW = 0.2

function Gauge({
  label,
  left,
  limit,
}: {
  readonly label: string
  readonly left: number
  readonly limit: number
}) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const part = left / limit
  return (
    <Meter
      label={label}
      text={words.leftOf(writeCount(left, locale), writeCount(limit, locale))}
      part={part}
      kind={part < FEW ? 'warn' : 'accent'}
    />
  )
}
