import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ReplyTo } from '../../../api/client.ts'
import { writeCount } from '../../../format/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { ProblemNote } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { Moment } from '../moment.tsx'
import { paymentsWords } from './words.ts'

type Found = ReplyTo<'get /operator/v1/payments/reconcile'>

/** Asked for by hand: it asks the provider for every payment of those days. */
export function Reconciliation() {
  const { reconcile: words } = useWords(paymentsWords)
  const [days, setDays] = useState('30')
  const [isSent, setIsSent] = useState(false)
  const isNumber = /^([1-9]\d?|[1-3]\d\d)$/.test(days)
  const comparing = useMutation({
    mutationFn: () => call('get /operator/v1/payments/reconcile', { query: { days } }),
  })
  return (
    <Card title={words.title}>
      <div className="flex min-w-0 flex-col items-start gap-4">
        <p className="max-w-prose text-soft">{words.text}</p>
        <form
          noValidate
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setIsSent(true)
            if (isNumber && !comparing.isPending) comparing.mutate()
          }}
        >
          <TextField
            label={words.days}
            problem={isSent && !isNumber ? words.daysWrong : undefined}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            value={days}
            onChange={(event) => setDays(event.target.value.trim())}
          />
          <Button type="submit" kind="second" busy={comparing.isPending}>
            {words.act}
          </Button>
        </form>
        <p role="status">{comparing.isPending && words.running}</p>
        {comparing.error && <ProblemNote problem={comparing.error} />}
        {comparing.data && <WhatWasFound found={comparing.data} />}
      </div>
    </Card>
  )
}

function WhatWasFound({ found: { ok, since, differences } }: { readonly found: Found }) {
  const { reconcile: words } = useWords(paymentsWords)
  const { locale } = useSpeech()
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <Notice kind={ok ? 'good' : 'danger'}>
        <p className="font-medium">
          {ok ? words.good : words.bad(writeCount(differences.length, locale))}
        </p>
        <p>
          {words.since} <Moment at={since} />
        </p>
      </Notice>
      {!ok && (
        <>
          <h3>{words.differences}</h3>
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {differences.map(({ topup_id: topupId, payment_id: paymentId, sentence }) => (
              <li key={`${topupId} ${paymentId} ${sentence}`} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
