import type { Blocker, Standing } from '../../api/standing.ts'
import { writeTime, writeUtcTime } from '../../format/times.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

/** When what is in the way goes by itself; nothing where it does not. */
export function ResetNote({
  blocker,
  standing,
  readAtMs,
}: {
  readonly blocker: Blocker
  readonly standing: Standing
  readonly readAtMs: number
}) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  if (blocker === 'suspended' || blocker === 'balance') return null
  const { ceiling, windows, as_of: asOf } = standing
  const isOfDay = blocker === 'ceiling'
  const atMs = isOfDay ? ceiling.resets_at : windows.resets_at
  const [utc, local] = [writeUtcTime(atMs, locale), writeTime(atMs, locale)]
  const ofDay = utc === `${local} UTC` ? words.resetsAtUtc(utc) : words.resetsAt(utc, local)
  return (
    <>
      {isOfDay ? ofDay : words.resetsIn}{' '}
      <span aria-hidden="true">
        (<Countdown leftMs={atMs - asOf} fromMs={readAtMs} />)
      </span>
      .
    </>
  )
}
