import { useWords } from '../../../words/language.tsx'
import type { Client } from './clients-screen.tsx'
import { clientsWords } from './words.ts'

const KINDS = ['confidential', 'public'] as const

export function KindChoice({
  kind,
  onChoose,
}: {
  readonly kind: Client['kind']
  readonly onChoose: (kind: Client['kind']) => void
}) {
  const words = useWords(clientsWords)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{words.kind}</legend>
      {KINDS.map((one) => (
        <label key={one} className="flex items-start gap-3">
          <input
            type="radio"
            name="kind"
            value={one}
            checked={one === kind}
            onChange={() => onChoose(one)}
            className="mt-0.5 size-6 shrink-0 accent-accent"
          />
          <span>
            {words.kinds[one]}
            <span className="block text-sm text-soft">{words.kindMeanings[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
