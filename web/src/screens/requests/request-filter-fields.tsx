import { DayFields } from '../../parts/day-fields.tsx'
import { SelectField } from '../../parts/field.tsx'
import { KeyField } from '../../parts/key-field.tsx'
import { useWords } from '../../words/language.tsx'
import { BRANDS, ENDINGS, readRequestsSearch, type RequestsSearch } from './requests-search.ts'
import type { RequestFilters } from './requests-query.ts'
import { requestsWords } from './words.ts'

/** Which requests: all of it stands in the address. */
export function RequestFilterFields({
  filters,
  isBackwards,
  onChoose,
}: {
  readonly filters: RequestFilters
  readonly isBackwards: boolean
  readonly onChoose: (change: RequestsSearch) => void
}) {
  const words = useWords(requestsWords)
  // What a field has is read as an address would be; nothing is no filter.
  const choose = (name: keyof RequestFilters, value: string): void =>
    onChoose({ [name]: undefined, ...readRequestsSearch({ [name]: value }) })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-5">
      <SelectField
        label={words.model}
        value={filters.model ?? ''}
        onChange={({ target }) => choose('model', target.value)}
      >
        <option value="">{words.allModels}</option>
        {BRANDS.map((brand) => (
          <option key={brand} value={brand}>
            {brand}
          </option>
        ))}
      </SelectField>
      <KeyField keyId={filters.key} onChoose={(key) => onChoose({ key })} />
      <SelectField
        label={words.ended}
        value={filters.ended ?? ''}
        onChange={({ target }) => choose('ended', target.value)}
      >
        <option value="">{words.allEndings}</option>
        {ENDINGS.map((ending) => (
          <option key={ending} value={ending}>
            {words.endings[ending]}
          </option>
        ))}
      </SelectField>
      <DayFields from={filters.from} to={filters.to} isBackwards={isBackwards} onChoose={choose} />
    </div>
  )
}
