import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { TextField } from '../../../parts/field.tsx'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import type { CreatedKey } from './key-list.tsx'
import { operatorAccountWords } from './words.ts'

export function CreateKeyDialog({
  accountId,
  onDone,
  onClose,
}: {
  readonly accountId: string
  readonly onDone: (created: CreatedKey) => void
  readonly onClose: () => void
}) {
  const { keys: words } = useWords(operatorAccountWords)
  const [name, setName] = useState('')
  const [isSent, setIsSent] = useState(false)
  const wanted = name.trim()
  return (
    <DeedDialog
      title={words.create}
      act={words.create}
      isReady={() => {
        setIsSent(true)
        return wanted !== ''
      }}
      run={() =>
        call('post /operator/v1/accounts/{account_id}/keys', {
          params: { account_id: accountId },
          body: { name: wanted },
        })
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p>{words.createText}</p>
      <TextField
        label={words.name}
        hint={words.nameHint}
        problem={isSent && wanted === '' ? words.nameMissing : undefined}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </DeedDialog>
  )
}
