import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Person } from '../../api/own.ts'
import { people } from '../../api/people.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { problemWords } from './problem-words.ts'
import { sortProblem } from './sort-problem.ts'
import { accountWords } from './words.ts'

/** The service never says whether the new address is somebody's; nor do we. */
export function EmailDialog({
  person,
  onDone,
  onClose,
}: {
  readonly person: Person
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(accountWords)
  const [email, setEmail] = useState('')
  const address = email.trim()
  const change = useMutation({
    mutationFn: () => people.changeEmail(address),
    onSuccess: onDone,
  })
  const problems = useWords(problemWords)
  const { fields, note } = sortProblem(change.error, problems)
  const [sameAs, setSameAs] = useState<string>()
  function send(): void {
    // It would be refused without a word of why.
    const isSame = address.toLowerCase() === person.email
    setSameAs(isSame ? address : undefined)
    if (!isSame) change.mutate()
  }
  return (
    <FormDialog
      title={words.changeEmail}
      submit={words.sendLink}
      busy={change.isPending}
      problem={note}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label={words.newEmail}
        hint={words.newEmailHint}
        problem={sameAs === address ? problems.sameEmail : fields.email}
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <p className="text-sm text-soft">{words.emailSteps(person.email)}</p>
    </FormDialog>
  )
}
