import { writeEuros } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Brand, ConsoleModel } from './conversation.ts'
import { settingsWords } from './settings-words.ts'
import { playgroundWords } from './words.ts'

/** Whom the conversation is with, and what can be done with it as a whole. */
export function Toolbar({
  models,
  brand,
  onBrand,
  onCode,
  onClear,
}: {
  readonly models: readonly ConsoleModel[]
  readonly brand: Brand
  readonly onBrand: (brand: Brand) => void
  /** Undefined where there is no request to be shown. */
  readonly onCode: (() => void) | undefined
  /** Undefined where there is nothing to be cleared. */
  readonly onClear: (() => void) | undefined
}) {
  const words = useWords(settingsWords)
  const { viewCode, clear } = useWords(playgroundWords)
  const { locale } = useSpeech()
  const price = models.find((model) => model.brand === brand)?.pricing_eur_per_1m
  const euros = (amount: number): string => writeEuros(String(amount), locale)
  return (
    <div className="flex flex-wrap items-end justify-between gap-3 border-b border-line p-4 sm:px-6">
      <div className="grow basis-64 sm:max-w-xs">
        <SelectField
          label={words.model}
          hint={price && words.perMillion(euros(price.inPerM), euros(price.outPerM))}
          value={brand}
          onChange={(event) => {
            const chosen = models.find((model) => model.brand === event.target.value)
            if (chosen) onBrand(chosen.brand)
          }}
        >
          {models.map((model) => (
            <option key={model.brand} value={model.brand} disabled={!model.enabled}>
              {model.enabled ? model.brand : words.off(model.brand)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex flex-wrap gap-2">
        {/* Not disabled: it would lose the focus to nowhere when it has done its work. */}
        <Button
          kind="second"
          aria-disabled={onClear === undefined}
          className="aria-disabled:opacity-60"
          onClick={onClear}
        >
          {clear}
        </Button>
        <Button kind="second" disabled={onCode === undefined} onClick={onCode}>
          {viewCode}
        </Button>
      </div>
    </div>
  )
}
