import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { ProblemNote } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { accountQuery, type Account } from '../account-queries.ts'
import { useDeed } from '../use-deed.ts'
import { operatorWords } from '../words.ts'
import { changeAccount } from './change-account.ts'
import { limitsOf, readLimitChanges, type Limits } from './read-limit-changes.ts'
import { operatorAccountWords } from './words.ts'

const PLANS = ['FREE', 'LITE', 'PRO', 'ELITE'] as const
const TIERS = ['1', '2', '3'] as const

export function LimitForm({ account }: { readonly account: Account }) {
  const { limits: words } = useWords(operatorAccountWords)
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Partial<Limits>>({})
  const [isSent, setIsSent] = useState(false)
  const changes = readLimitChanges(edits)
  const saving = useDeed((body: NonNullable<typeof changes>) => changeAccount(account.id, body))
  function show(saved: Account): void {
    queries.setQueryData(accountQuery(account.id).queryKey, saved)
    setEdits({})
    setIsSent(false)
  }
  return (
    <Card title={words.title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setIsSent(true)
          if (changes && !saving.isPending) {
            saving.mutate(changes, { onSuccess: show })
          }
        }}
      >
        <LimitFields
          limits={{ ...limitsOf(account), ...edits }}
          ceilingProblem={isSent && !changes ? words.ceilingWrong : undefined}
          onChange={(changed) => {
            setEdits({ ...edits, ...changed })
            saving.reset()
          }}
        />
        {saving.error && <ProblemNote problem={saving.error} />}
        {saving.data && <Notice kind="good">{words.saved}</Notice>}
        <div>
          <Button type="submit" busy={saving.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function LimitFields({
  limits,
  ceilingProblem,
  onChange,
}: {
  readonly limits: Limits
  readonly ceilingProblem: string | undefined
  readonly onChange: (changed: Partial<Limits>) => void
}) {
  const { limits: words } = useWords(operatorAccountWords)
  const { plan } = useWords(operatorWords)
  return (
    <>
      <SelectField
        label={words.minTier}
        hint={words.minTierHint}
        value={limits.minTier}
        onChange={(event) => onChange({ minTier: event.target.value })}
      >
        {TIERS.map((tier) => (
          <option key={tier}>{tier}</option>
        ))}
      </SelectField>
      <SelectField
        label={plan}
        hint={words.planHint}
        value={limits.plan}
        onChange={(event) => onChange({ plan: event.target.value })}
      >
        {PLANS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      <TextField
        label={words.ceiling}
        hint={words.ceilingHint}
        problem={ceilingProblem}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={limits.ceiling}
        onChange={(event) => onChange({ ceiling: event.target.value })}
      />
    </>
  )
}
