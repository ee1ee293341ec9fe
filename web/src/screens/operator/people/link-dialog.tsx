import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { SelectField } from '../../../parts/field.tsx'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import type { OperatorPerson } from '../person-queries.ts'
import { peopleWords } from './words.ts'

const LIFETIMES = ['900', '3600', '86400'] as const

export function LinkDialog({
  person: { id, email },
  onDone,
  onClose,
}: {
  readonly person: OperatorPerson
  readonly onDone: (sentence: string, url: string) => void
  readonly onClose: () => void
}) {
  const words = useWords(peopleWords)
  const [lifetime, setLifetime] = useState<string>(LIFETIMES[0])
  return (
    <DeedDialog
      title={words.linkTitle(email)}
      act={words.makeLink}
      run={() =>
        call('post /operator/v1/people/{person_id}/sign-in-links', {
          params: { person_id: id },
          body: { expires_in_s: Number(lifetime) },
        })
      }
      onDone={({ url }) => onDone(words.linkMade(email), url)}
      onClose={onClose}
    >
      <p>{words.linkText}</p>
      <SelectField
        label={words.linkLifetime}
        value={lifetime}
        onChange={(event) => setLifetime(event.target.value)}
      >
        {LIFETIMES.map((seconds) => (
          <option key={seconds} value={seconds}>
            {words.lifetimes[seconds]}
          </option>
        ))}
      </SelectField>
    </DeedDialog>
  )
}
