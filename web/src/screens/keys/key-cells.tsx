import type { OwnKey } from '../../api/own-keys.ts'
import { writeDay } from '../../format/times.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import { keysWords } from './words.ts'

/** Its name, and "svc_live_…abcd", which is all that is kept of it. */
export function NamedKeyCell({ of: key }: { readonly of: OwnKey }) {
  const words = useWords(keysWords)
  return (
    <div className="flex max-w-64 min-w-44 flex-col items-start">
      {key.kind === 'console' ? (
        <span className="rounded-full bg-tint px-2.5 py-0.5 font-medium">{words.ofPlayground}</span>
      ) : (
        <bdi className="font-medium wrap-anywhere">{key.name}</bdi>
      )}
      <code className="font-mono text-xs whitespace-nowrap text-soft">{writeKeyEnds(key)}</code>
    </div>
  )
}

export function writeKeyEnds({
  prefix,
  last_four: lastFour,
}: Pick<OwnKey, 'prefix' | 'last_four'>): string {
  return `${prefix}…${lastFour}`
}

export function LastUsedCell({ of: { last_used_on: day } }: { readonly of: OwnKey }) {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  return (
    <span className="whitespace-nowrap">{day === null ? words.never : writeDay(day, locale)}</span>
  )
}
