import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useWords } from '../../../words/language.tsx'
import type { Account } from '../account-queries.ts'
import { DeedDialog } from '../deed-dialog.tsx'
import { accountsWords } from './words.ts'

export function CreateAccount({ onCreated }: { readonly onCreated: (account: Account) => void }) {
  const words = useWords(accountsWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{words.create}</Button>
      {isOpen && <CreateAccountDialog onCreated={onCreated} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function CreateAccountDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (account: Account) => void
  readonly onClose: () => void
}) {
  const words = useWords(accountsWords)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const isAddress = /^[^@\s]+@[^@\s]+$/.test(email.trim())
  return (
    <DeedDialog
      title={words.create}
      act={words.create}
      isReady={() => {
        setIsWrong(!isAddress)
        return isAddress
      }}
      run={() =>
        call('post /operator/v1/accounts', {
          body: { email: email.trim(), ...(name.trim() !== '' && { name: name.trim() }) },
        })
      }
      onDone={onCreated}
      onClose={onClose}
    >
      <p>{words.createText}</p>
      <TextField
        label={words.email}
        problem={isWrong && !isAddress ? words.emailMissing : undefined}
        type="email"
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </DeedDialog>
  )
}
