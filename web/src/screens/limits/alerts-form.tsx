import { useState, type SubmitEvent } from 'react'
import type { UseMutationResult } from '@tanstack/react-query'
import { useMay } from '../../api/rights.ts'
import { readEuros } from '../../format/read-euros.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { LookOnly } from '../../parts/look-only.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Alerts } from './alerts.ts'
import { limitsWords } from './words.ts'

export function AlertsForm({
  settings,
  hasCeiling,
  saving,
}: {
  readonly settings: Alerts
  readonly hasCeiling: boolean
  readonly saving: UseMutationResult<Alerts, Error, Alerts>
}) {
  const words = useWords(limitsWords)
  const { language } = useSpeech()
  const mayChange = useMay()('change_alerts')
  // As its reader writes it, until they write something else.
  const kept = settings.low_balance_eur?.replace('.', language === 'pt' ? ',' : '.') ?? ''
  const [typed, setTyped] = useState<string>()
  const [ceiling, setCeiling] = useState(settings.ceiling)
  const [isWrong, setIsWrong] = useState(false)
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const low = typed === undefined ? settings.low_balance_eur : readLow(typed)
    setIsWrong(low === undefined)
    if (low === undefined || saving.isPending) return
    saving.mutate({ low_balance_eur: low, ceiling }, { onSuccess: () => setTyped(undefined) })
  }
  const change = (): void => saving.reset()
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        <TextField
          label={words.low}
          hint={words.lowHint}
          problem={isWrong ? words.noAmount : undefined}
          value={typed ?? kept}
          inputMode="decimal"
          autoComplete="off"
          onChange={({ target }) => {
            setTyped(target.value)
            setIsWrong(false)
            change()
          }}
        />
        <CheckField
          label={words.parts}
          hint={hasCeiling ? words.partsHint : words.partsNone}
          checked={ceiling}
          onChange={({ target }) => {
            setCeiling(target.checked)
            change()
          }}
        />
      </fieldset>
      <SaveAlerts saving={saving} mayChange={mayChange} />
    </form>
  )
}

function SaveAlerts({
  saving,
  mayChange,
}: {
  readonly saving: UseMutationResult<Alerts, Error, Alerts>
  readonly mayChange: boolean
}) {
  const words = useWords(limitsWords)
  if (!mayChange) return <LookOnly />
  return (
    <>
      {saving.error && <ProblemNote problem={saving.error} />}
      {saving.isSuccess && <Notice kind="good">{words.saved}</Notice>}
      <div>
        <Button type="submit" busy={saving.isPending}>
          {words.save}
        </Button>
      </div>
    </>
  )
}

/** Null for nothing, which is never; undefined for what is no amount. */
function readLow(typed: string): string | null | undefined {
  return typed.trim() === '' ? null : readEuros(typed)
}
