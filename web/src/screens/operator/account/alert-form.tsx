import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ReplyTo } from '../../../api/client.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField, TextField } from '../../../parts/field.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { Loaded, ProblemNote } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { isAmount } from '../is-amount.ts'
import { useDeed } from '../use-deed.ts'
import { operatorAccountWords } from './words.ts'

type AlertSettings = ReplyTo<'get /operator/v1/accounts/{account_id}/alerts'>

const DECIMALS = 9

export function AlertForm({ accountId }: { readonly accountId: string }) {
  const { alerts: words } = useWords(operatorAccountWords)
  const alerts = useQuery({
    queryKey: ['operator', 'alerts', accountId],
    queryFn: ({ signal }) =>
      call(
        'get /operator/v1/accounts/{account_id}/alerts',
        { params: { account_id: accountId } },
        signal,
      ),
  })
  return (
    <Card title={words.title}>
      <Loaded query={alerts}>
        {(settings) => <LoadedAlertForm accountId={accountId} settings={settings} />}
      </Loaded>
    </Card>
  )
}

function LoadedAlertForm({
  accountId,
  settings,
}: {
  readonly accountId: string
  readonly settings: AlertSettings
}) {
  const { alerts: words } = useWords(operatorAccountWords)
  const [low, setLow] = useState(settings.low_balance_eur ?? '')
  const [ceiling, setCeiling] = useState(settings.ceiling)
  const [isSent, setIsSent] = useState(false)
  const lowBalance = low.trim()
  const isRight = lowBalance === '' || isAmount(lowBalance, DECIMALS)
  const saving = useDeed(() =>
    call('put /operator/v1/accounts/{account_id}/alerts', {
      params: { account_id: accountId },
      body: { low_balance_eur: lowBalance === '' ? null : lowBalance, ceiling },
    }),
  )
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onChange={() => saving.reset()}
      onSubmit={(event) => {
        event.preventDefault()
        setIsSent(true)
        if (isRight && !saving.isPending) saving.mutate(undefined)
      }}
    >
      <p className="text-soft">{words.text}</p>
      <TextField
        label={words.low}
        hint={words.lowHint}
        problem={isSent && !isRight ? words.lowWrong : undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={low}
        onChange={(event) => setLow(event.target.value)}
      />
      <CheckField
        label={words.ceiling}
        checked={ceiling}
        onChange={(event) => setCeiling(event.target.checked)}
      />
      {saving.error && <ProblemNote problem={saving.error} />}
      {saving.data && <Notice kind="good">{words.saved}</Notice>}
      <div>
        <Button type="submit" kind="second" busy={saving.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}
