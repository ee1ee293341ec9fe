import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePerson } from '../../api/own.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { downloadData } from './download-data.ts'
import { PasswordField } from './password-field.tsx'
import { problemWords } from './problem-words.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'
import { accountWords } from './words.ts'

/** Whoever finds a browser open must not take everything along. */
export function DataDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(accountWords)
  const { password: passwordLabel } = useWords(signInWords)
  const { has_password: hasPassword } = usePerson()
  const [password, setPassword] = useState('')
  const download = useMutation({
    mutationFn: () => downloadData(hasPassword ? password : undefined),
    onSuccess: onDone,
  })
  const { fields, note, mustSignIn } = sortProblem(download.error, useWords(problemWords))
  return (
    <FormDialog
      title={words.dataDownload}
      submit={words.dataSubmit}
      busy={download.isPending}
      problem={note}
      canSubmit={password !== '' || !hasPassword}
      onSubmit={() => download.mutate()}
      onClose={onClose}
    >
      <p>{words.dataSecret}</p>
      {hasPassword && (
        <PasswordField
          label={passwordLabel}
          problem={fields.password}
          value={password}
          onValue={setPassword}
        />
      )}
      {mustSignIn && <SignInAgain />}
    </FormDialog>
  )
}
