import { writeMoment } from '../../format/times.ts'
import { useSpeech } from '../../words/language.tsx'

/** When something was, in its reader's time zone. */
export function Moment({ at }: { readonly at: number }) {
  const { locale } = useSpeech()
  return (
    <time dateTime={new Date(at).toISOString()} className="whitespace-nowrap">
      {writeMoment(at, locale)}
    </time>
  )
}
