import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { PasswordField } from './password-field.tsx'
import { problemWords } from './problem-words.ts'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

/** Something that only the password opens. */
export function ConfirmPasswordDialog<Answer>({
  title,
  text,
  submit,
  kind,
  confirm,
  onConfirmed,
  onClose,
}: {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly kind?: 'danger'
  readonly confirm: (password: string) => Promise<Answer>
  readonly onConfirmed: (answer: Answer) => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const [password, setPassword] = useState('')
  const ask = useMutation({ mutationFn: () => confirm(password), onSuccess: onConfirmed })
  const { fields, note } = sortProblem(ask.error, useWords(problemWords))
  return (
    <FormDialog
      title={title}
      submit={submit}
      {...(kind && { kind })}
      busy={ask.isPending}
      problem={note}
      canSubmit={password !== ''}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      <p>{text}</p>
      <PasswordField
        label={words.password}
        problem={fields.password}
        value={password}
        onValue={setPassword}
      />
    </FormDialog>
  )
}
