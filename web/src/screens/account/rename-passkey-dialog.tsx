import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { people, type Passkey } from '../../api/people.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { problemWords } from './problem-words.ts'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

export function RenamePasskeyDialog({
  passkey,
  onDone,
  onClose,
}: {
  readonly passkey: Passkey
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  const [name, setName] = useState(passkey.name ?? '')
  const rename = useMutation({
    mutationFn: () => people.renamePasskey(passkey.id, name.trim()),
    async onSuccess() {
      await queries.invalidateQueries(passkeysQuery)
      onDone()
    },
  })
  const { fields, note } = sortProblem(rename.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.renameTitle}
      submit={words.save}
      busy={rename.isPending}
      problem={note}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.passkeyName}
        problem={fields.name}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
