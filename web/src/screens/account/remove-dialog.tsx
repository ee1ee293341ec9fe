import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useChosenAccount } from '../../api/chosen-account.tsx'
import { call } from '../../api/client.ts'
import { usePerson } from '../../api/own.ts'
import { writeEuros } from '../../format/figures.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { PasswordField } from './password-field.tsx'
import { problemWords } from './problem-words.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'
import { accountWords } from './words.ts'

const FAREWELL = '/sign-in?notice=accountDeleted'

export function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(accountWords)
  const { password: passwordLabel } = useWords(signInWords)
  const person = usePerson()
  const [address, setAddress] = useState('')
  const [password, setPassword] = useState('')
  const remove = useMutation({
    mutationFn: () =>
      call('delete /console/api/person', {
        body: person.has_password ? { password } : {},
      }),
    onSuccess: () => location.assign(FAREWELL),
  })
  const { fields, note, mustSignIn } = sortProblem(remove.error, useWords(problemWords))
  const isMeant = address.trim().toLowerCase() === person.email.toLowerCase()
  return (
    <FormDialog
      title={words.removeTitle}
      submit={words.removeSubmit}
      kind="danger"
      busy={remove.isPending || remove.isSuccess}
      problem={note}
      canSubmit={isMeant && (password !== '' || !person.has_password)}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <WhatIsLost />
      <TextField
        label={words.typeAddress(person.email)}
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      {person.has_password && (
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

function WhatIsLost() {
  const words = useWords(accountWords)
  const { locale } = useSpeech()
  const { accounts } = useChosenAccount()
  return (
    <div>
      <p>{words.removeLost}</p>
      <ul className="mt-2 list-disc pl-5">
        {accounts.map(({ id, balance_eur: balance }) => (
          <li key={id}>{words.lostBalance(writeEuros(balance, locale))}</li>
        ))}
        <li>{words.lostKeys}</li>
        <li>{words.lostSignIns}</li>
        <li>{words.lostName}</li>
      </ul>
    </div>
  )
}
