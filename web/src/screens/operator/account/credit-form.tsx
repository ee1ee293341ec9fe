import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { writeEuros } from '../../../format/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { ProblemNote } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { MoneyFields } from '../money-fields.tsx'
import { useDeed } from '../use-deed.ts'
import { useMoneyForm } from '../use-money-form.ts'
import { operatorWords } from '../words.ts'
import { operatorAccountWords } from './words.ts'

const KINDS = ['deposit', 'grant'] as const
const DECIMALS = 9

/** Money is booked once a reference, so a click too many, or a reply that got lost, books nothing. */
export function CreditForm({ accountId }: { readonly accountId: string }) {
  const { credit: words } = useWords(operatorAccountWords)
  const { amountWrong } = useWords(operatorWords)
  const { locale } = useSpeech()
  const [kind, setKind] = useState<(typeof KINDS)[number]>('deposit')
  const form = useMoneyForm('credit', DECIMALS)
  const booking = useDeed(() =>
    call('post /operator/v1/accounts/{account_id}/credits', {
      params: { account_id: accountId },
      body: { kind, ...form.wanted },
    }),
  )
  const { data: booked } = booking
  return (
    <Card title={words.title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!booking.isPending && form.isReady()) {
            booking.mutate(undefined, { onSuccess: form.clear })
          }
        }}
      >
        <SelectField
          label={words.kind}
          hint={words.meanings[kind]}
          value={kind}
          onChange={(event) => setKind(event.target.value === 'grant' ? 'grant' : 'deposit')}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </SelectField>
        <MoneyFields form={form} amountProblem={amountWrong} referenceHint={words.referenceHint} />
        {booking.error && <ProblemNote problem={booking.error} />}
        {booked && (
          <Notice kind="good">
            <p className="wrap-anywhere">
              {words.booked(writeEuros(booked.amount_eur, locale), booked.reference)}
            </p>
          </Notice>
        )}
        <div>
          <Button type="submit" busy={booking.isPending}>
            {words.act}
          </Button>
        </div>
      </form>
    </Card>
  )
}
