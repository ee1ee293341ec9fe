import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { createPasskey } from './create-passkey.ts'
import { passkeysQuery } from './passkeys-query.ts'
import { problemWords } from './problem-words.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

export function AddPasskeyDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => createPasskey(name.trim()),
    async onSuccess() {
      await queries.invalidateQueries(passkeysQuery)
      onDone()
    },
  })
  const { fields, note, mustSignIn } = sortProblem(add.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.addPasskey}
      submit={words.continue}
      busy={add.isPending}
      problem={note}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.passkeyName}
        hint={words.passkeyNameHint}
        problem={fields.name}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {mustSignIn && <SignInAgain />}
    </FormDialog>
  )
}
