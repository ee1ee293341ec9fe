import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePerson } from '../../api/own.ts'
import { people } from '../../api/people.ts'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../words/language.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { problemWords } from './problem-words.ts'
import { SettingRow } from './setting-row.tsx'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

export function PasswordRow({ onDone }: { readonly onDone: (text: string) => void }) {
  const words = useWords(signInWords)
  const person = usePerson()
  const [isOpen, setIsOpen] = useState(false)
  if (!person.has_password) return <NoPasswordRow email={person.email} onDone={onDone} />
  return (
    <>
      <SettingRow
        name={words.password}
        value={words.passwordSet}
        actions={
          <Button kind="second" onClick={() => setIsOpen(true)}>
            {words.changePassword}
          </Button>
        }
      />
      {isOpen && (
        <PasswordDialog
          onDone={() => {
            setIsOpen(false)
            onDone(words.passwordChanged)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

/** Who came by a link of the operator has none, and sets one as who has forgotten theirs does. */
function NoPasswordRow({
  email,
  onDone,
}: {
  readonly email: string
  readonly onDone: (text: string) => void
}) {
  const words = useWords(signInWords)
  const send = useMutation({
    mutationFn: () => people.mailPasswordLink(email),
    onSuccess: () => onDone(words.passwordLinkSent(email)),
  })
  const { note } = sortProblem(send.error, useWords(problemWords))
  return (
    <>
      <SettingRow
        name={words.password}
        value={words.passwordNone}
        actions={
          <Button kind="second" busy={send.isPending} onClick={() => send.mutate()}>
            {words.passwordLink}
          </Button>
        }
      />
      {note && (
        <li className="py-4">
          <ProblemNote problem={note} />
        </li>
      )}
    </>
  )
}
