import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { CreatedKey } from '../../api/own-keys.ts'
import { useServiceNow } from '../../api/use-service-now.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import type { ActProps } from './key-dialogs.tsx'
import { KeyFields } from './key-fields.tsx'
import { readKeyForm, type FormProblem, type KeyForm, type KeyWish } from './key-form.ts'
import { useKeyAct } from './use-key-act.ts'
import { keysWords } from './words.ts'

const EMPTY: KeyForm = { name: '', expiry: 'never', day: '', ceiling: '' }

export function CreateDialog({
  accountId,
  onCreated,
  onClose,
}: ActProps & { readonly onCreated: (created: CreatedKey) => void }) {
  const words = useWords(keysWords)
  const nowMs = useServiceNow()
  const [form, setForm] = useState(EMPTY)
  const [problem, setProblem] = useState<FormProblem>()
  const create = useKeyAct(accountId, (body: KeyWish) =>
    call('post /console/api/accounts/{account_id}/keys', {
      params: { account_id: accountId },
      body,
    }),
  )
  function submit(): void {
    const wish = readKeyForm(form, nowMs)
    if (typeof wish === 'string') return setProblem(wish)
    setProblem(undefined)
    create.mutate(wish, { onSuccess: onCreated })
  }
  return (
    <FormDialog
      title={words.createTitle}
      submit={words.create}
      busy={create.isPending}
      problem={create.error ?? undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields form={form} problem={problem} onChange={setForm} />
    </FormDialog>
  )
}
