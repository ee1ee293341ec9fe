import { writeCount } from '../../format/figures.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { EXPIRIES, type Expiry, type KeyForm } from './key-form.ts'
import { keysWords } from './words.ts'

export function ExpiryFields({
  form,
  isDayWrong,
  kept,
  onChange,
}: {
  readonly form: Pick<KeyForm, 'expiry' | 'day'>
  readonly isDayWrong: boolean
  readonly kept: string | undefined
  readonly onChange: (changes: Partial<KeyForm>) => void
}) {
  const words = useWords(keysWords)
  const describe = useExpiryWords(kept)
  const options: readonly Expiry[] = kept === undefined ? EXPIRIES : ['keep', ...EXPIRIES]
  return (
    <>
      <SelectField
        label={words.expiry}
        hint={words.expiryHint}
        value={form.expiry}
        onChange={(event) => onChange({ expiry: event.target.value as Expiry })}
      >
        {options.map((expiry) => (
          <option key={expiry} value={expiry}>
            {describe(expiry)}
          </option>
        ))}
      </SelectField>
      {form.expiry === 'date' && (
        <TextField
          label={words.date}
          type="date"
          problem={isDayWrong ? words.dateMissing : undefined}
          value={form.day}
          onChange={(event) => onChange({ day: event.target.value })}
        />
      )}
    </>
  )
}

function useExpiryWords(kept = ''): (expiry: Expiry) => string {
  const { expiries } = useWords(keysWords)
  const { locale } = useSpeech()
  return function describe(expiry) {
    switch (expiry) {
      case 'keep':
        return expiries.keep(kept)
      case 'never':
      case 'year':
      case 'date':
        return expiries[expiry]
      case '7':
      case '30':
      case '90':
        return expiries.days(writeCount(Number(expiry), locale))
    }
  }
}
