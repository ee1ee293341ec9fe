import type { Passkey } from '../../api/people.ts'
import { writeDate } from '../../format/times.ts'
import { Button } from '../../parts/button.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { SettingRow } from './setting-row.tsx'
import { signInWords } from './sign-in-words.ts'

export function PasskeyRow({
  passkey: { name, createdAt },
  onOpen,
}: {
  readonly passkey: Passkey
  readonly onOpen: (what: 'rename' | 'remove') => void
}) {
  const words = useWords(signInWords)
  const { locale } = useSpeech()
  // One that has no name has none of use either.
  const shown = name || words.unnamed
  return (
    <SettingRow
      name={<bdi>{shown}</bdi>}
      value={createdAt && words.addedOn(writeDate(Date.parse(createdAt), locale))}
      actions={
        <>
          <Button
            kind="second"
            aria-label={words.renamePasskey(shown)}
            onClick={() => onOpen('rename')}
          >
            {words.rename}
          </Button>
          <Button
            kind="danger"
            aria-label={words.removePasskey(shown)}
            onClick={() => onOpen('remove')}
          >
            {words.remove}
          </Button>
        </>
      }
    />
  )
}
