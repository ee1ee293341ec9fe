import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { OwnKey } from '../../api/own-keys.ts'
import { useServiceNow } from '../../api/use-service-now.ts'
import { writeMoment } from '../../format/times.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { ActProps } from './key-dialogs.tsx'
import { KeyFields } from './key-fields.tsx'
import { readKeyForm, type FormProblem, type KeyForm, type KeyWish } from './key-form.ts'
import { useKeyAct } from './use-key-act.ts'
import { keysWords } from './words.ts'

export function ChangeDialog({
  accountId,
  of: key,
  onChanged,
  onClose,
}: ActProps & { readonly of: OwnKey; readonly onChanged: (key: OwnKey) => void }) {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  const nowMs = useServiceNow()
  const [form, setForm] = useState<KeyForm>({
    name: key.name,
    expiry: 'keep',
    day: '',
    ceiling: key.daily_ceiling_eur ?? '',
  })
  const [problem, setProblem] = useState<FormProblem>()
  const change = useKeyAct(accountId, (body: KeyWish) =>
    call('patch /console/api/accounts/{account_id}/keys/{key_id}', {
      params: { account_id: accountId, key_id: key.id },
      body,
    }),
  )
  function submit(): void {
    const wish = readKeyForm(form, nowMs)
    if (typeof wish === 'string') return setProblem(wish)
    setProblem(undefined)
    change.mutate(wish, { onSuccess: onChanged })
  }
  const kept = key.expires_at === null ? words.neverExpires : writeMoment(key.expires_at, locale)
  return (
    <FormDialog
      title={words.changeTitle(key.name)}
      submit={words.save}
      busy={change.isPending}
      problem={change.error ?? undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields form={form} problem={problem} kept={kept} onChange={setForm} />
    </FormDialog>
  )
}
