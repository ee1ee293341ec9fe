import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import type { MoneyForm } from './use-money-form.ts'
import { operatorWords } from './words.ts'

export function MoneyFields({
  form,
  amountProblem,
  referenceHint,
}: {
  readonly form: MoneyForm
  readonly amountProblem: string
  readonly referenceHint: string
}) {
  const words = useWords(operatorWords)
  return (
    <>
      <TextField
        label={words.amount}
        problem={form.isAmountWrong ? amountProblem : undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={form.amount}
        onChange={(event) => form.setAmount(event.target.value)}
      />
      <TextField
        label={words.reference}
        hint={referenceHint}
        problem={form.isReferenceWrong ? words.referenceMissing : undefined}
        autoComplete="off"
        maxLength={200}
        value={form.reference}
        onChange={(event) => form.setReference(event.target.value)}
      />
    </>
  )
}
