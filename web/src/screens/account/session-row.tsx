import { writeDate } from '../../format/times.ts'
import { Button } from '../../parts/button.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { describeBrowser } from './describe-browser.ts'
import type { Session } from './sessions-query.ts'
import { SettingRow } from './setting-row.tsx'
import { accountWords } from './words.ts'

export function SessionRow({
  session,
  busy,
  onEnd,
}: {
  readonly session: Session
  readonly busy: boolean
  readonly onEnd: (name: string) => void
}) {
  const words = useWords(accountWords)
  const { locale } = useSpeech()
  const name = describeBrowser(session, words)
  const facts = [
    words.since(writeDate(session.created_at, locale)),
    words.lastUsed(writeDate(session.last_used_at, locale)),
    ...(session.address === null ? [] : [words.from(session.address)]),
  ]
  return (
    <SettingRow
      name={
        <>
          {name}
          {session.current && (
            <span className="ml-2 inline-block rounded-full bg-good-paper px-2 text-sm text-good">
              {words.thisBrowser}
            </span>
          )}
        </>
      }
      value={facts.join(' · ')}
      actions={
        !session.current && (
          <Button
            kind="second"
            busy={busy}
            aria-label={words.endSessionOf(name)}
            onClick={() => onEnd(name)}
          >
            {words.endSession}
          </Button>
        )
      }
    />
  )
}
