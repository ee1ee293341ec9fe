import { useNow } from '../format/use-now.ts'
import { writeTimeLeft } from '../format/write-time-left.ts'

const SECOND_MS = 1_000

/**
 * How long it is until then, second by second, for whoever sees it: read aloud each second it would say
 * nothing else. What it is about must be told beside it.
 */
export function Countdown({
  leftMs,
  fromMs,
}: {
  /** What was left, by the service's clock. */
  readonly leftMs: number
  /** When it was left, by the browser's. */
  readonly fromMs: number
}) {
  const passedMs = Math.max(0, useNow(SECOND_MS) - fromMs)
  return (
    <span aria-hidden="true" className="tabular-nums">
      {writeTimeLeft(leftMs - passedMs)}
    </span>
  )
}
