import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import type { FormProblem, KeyForm } from './key-form.ts'
import { keysWords } from './words.ts'

/** Name, end and ceiling of a key, with what is wrong beside what it is about. */
export function KeyFields({
  form,
  problem,
  kept,
  onChange,
}: {
  readonly form: KeyForm
  readonly problem: FormProblem | undefined
  /** What "as it is" means, where there is a key already. */
  readonly kept?: string | undefined
  readonly onChange: (form: KeyForm) => void
}) {
  const words = useWords(keysWords)
  const set = (changes: Partial<KeyForm>): void => onChange({ ...form, ...changes })
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        problem={problem === 'name' ? words.nameMissing : undefined}
        value={form.name}
        autoComplete="off"
        onChange={(event) => set({ name: event.target.value })}
      />
      <ExpiryFields form={form} isDayWrong={problem === 'day'} kept={kept} onChange={set} />
      <TextField
        label={words.ceiling}
        hint={words.ceilingHint}
        problem={problem === 'ceiling' ? words.ceilingWrong : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={form.ceiling}
        onChange={(event) => set({ ceiling: event.target.value })}
      />
    </>
  )
}
