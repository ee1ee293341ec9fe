import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { CreatedKey, OwnKey } from '../../api/own-keys.ts'
import { Choice } from '../../parts/choice.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import type { ActProps } from './key-dialogs.tsx'
import { useKeyAct } from './use-key-act.ts'
import { keysWords } from './words.ts'

const OVERLAPS = { now: 0, hour: 3_600, day: 86_400, week: 604_800 }
type Overlap = keyof typeof OVERLAPS
const CHOICES: readonly Overlap[] = ['now', 'hour', 'day', 'week']

export function RollDialog({
  accountId,
  of: key,
  onRolled,
  onClose,
}: ActProps & { readonly of: OwnKey; readonly onRolled: (created: CreatedKey) => void }) {
  const words = useWords(keysWords)
  const [overlap, setOverlap] = useState<Overlap>('day')
  const roll = useKeyAct(accountId, (overlapS: number) =>
    call('post /console/api/accounts/{account_id}/keys/{key_id}/roll', {
      params: { account_id: accountId, key_id: key.id },
      body: { overlap_s: overlapS },
    }),
  )
  return (
    <FormDialog
      title={words.rollTitle(key.name)}
      submit={words.roll}
      busy={roll.isPending}
      problem={roll.error ?? undefined}
      onSubmit={() => roll.mutate(OVERLAPS[overlap], { onSuccess: onRolled })}
      onClose={onClose}
    >
      <p>{words.rollText}</p>
      <Choice
        legend={words.overlap}
        value={overlap}
        options={CHOICES.map((value) => ({ value, label: words.overlaps[value] }))}
        onChoose={setOverlap}
      />
    </FormDialog>
  )
}
