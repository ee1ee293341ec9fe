import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keysOf, type OwnKey } from '../../api/own-keys.ts'
import { writeDay } from '../../format/times.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { writeKeyEnds } from './key-cells.tsx'
import type { ActProps } from './key-dialogs.tsx'
import { keysWords } from './words.ts'

/** It cannot be undone, and so is done to what was named, not to what was only clicked. */
export function RevokeDialog({
  accountId,
  of: key,
  onRevoked,
  onClose,
}: ActProps & { readonly of: OwnKey; readonly onRevoked: () => void }) {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () =>
      call('delete /console/api/accounts/{account_id}/keys/{key_id}', {
        params: { account_id: accountId, key_id: key.id },
      }),
    // The row goes before the dialog does, which would give the focus back to a button in it.
    onSuccess: () => queries.invalidateQueries({ queryKey: keysOf(accountId) }),
  })
  const { last_used_on: usedOn } = key
  return (
    <FormDialog
      title={words.revokeTitle(key.name)}
      submit={words.revoke}
      kind="danger"
      busy={revoke.isPending}
      problem={revoke.error ?? undefined}
      canSubmit={typed.trim().normalize() === key.name.trim().normalize()}
      onSubmit={() => revoke.mutate(undefined, { onSuccess: onRevoked })}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{words.revokeText(writeKeyEnds(key))}</p>
      <p>{usedOn === null ? words.unused : words.usedOn(writeDay(usedOn, locale))}</p>
      <TextField
        label={<span className="wrap-anywhere">{words.typeName(key.name)}</span>}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  )
}
