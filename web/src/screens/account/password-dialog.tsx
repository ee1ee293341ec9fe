import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { people } from '../../api/people.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { PasswordField } from './password-field.tsx'
import { problemWords } from './problem-words.ts'
import { sessionsQuery } from './sessions-query.ts'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

export function PasswordDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation({
    mutationFn: () => people.changePassword(current, next),
    async onSuccess() {
      await queries.invalidateQueries(sessionsQuery)
      await queries.invalidateQueries({ queryKey: ['connected-apps'] })
      onDone()
    },
  })
  const { fields, note } = sortProblem(change.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.changePassword}
      submit={words.changePassword}
      busy={change.isPending}
      problem={note}
      canSubmit={current !== '' && next !== ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <PasswordField
        label={words.currentPassword}
        problem={fields.password}
        value={current}
        onValue={setCurrent}
      />
      <TextField
        label={words.newPassword}
        hint={words.passwordRule}
        problem={fields.newPassword}
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <p className="text-sm text-soft">{words.passwordEnds}</p>
    </FormDialog>
  )
}
