import { call } from '../../../api/client.ts'
import { writeEuros } from '../../../format/figures.ts'
import { Facts } from '../../../parts/facts.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import { isAmount } from '../is-amount.ts'
import { MoneyFields } from '../money-fields.tsx'
import { useMoneyForm } from '../use-money-form.ts'
import type { Topup } from './topup-list.tsx'
import { topupWords } from './words.ts'

/** Providers give back whole cents. */
const DECIMALS = 2

export function RefundDialog({
  topup,
  onDone,
  onClose,
}: {
  readonly topup: Topup
  /** Told how much was asked for. */
  readonly onDone: (amountEur: string) => void
  readonly onClose: () => void
}) {
  const words = useWords(topupWords)
  const { locale } = useSpeech()
  const isWhole = !isAmount(topup.refunded_eur, DECIMALS)
  const form = useMoneyForm('refund', DECIMALS, isWhole ? topup.amount_eur : '')
  return (
    <DeedDialog
      title={words.refundTitle(writeEuros(topup.amount_eur, locale))}
      act={words.refund}
      kind="danger"
      isReady={form.isReady}
      run={() =>
        call('post /operator/v1/topups/{topup_id}/refunds', {
          params: { topup_id: topup.id },
          body: form.wanted,
        })
      }
      onDone={() => onDone(form.wanted.amount_eur)}
      onClose={onClose}
    >
      <p>{words.refundText}</p>
      <Facts
        facts={[
          [words.topup, topup.id],
          [words.refundedSoFar, writeEuros(topup.refunded_eur, locale)],
        ]}
      />
      <MoneyFields form={form} amountProblem={words.refundWrong} referenceHint={words.reasonHint} />
    </DeedDialog>
  )
}
