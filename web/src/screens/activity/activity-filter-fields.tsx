import { DayFields } from '../../parts/day-fields.tsx'
import { SelectField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { KINDS, readActivitySearch, type ActivitySearch } from './activity-search.ts'
import { activityWords } from './words.ts'

/** Which entries: all of it stands in the address. */
export function ActivityFilterFields({
  filters,
  isBackwards,
  onChoose,
}: {
  readonly filters: ActivitySearch
  readonly isBackwards: boolean
  readonly onChoose: (change: ActivitySearch) => void
}) {
  const words = useWords(activityWords)
  // What a field has is read as an address would be; nothing is no filter.
  const choose = (name: keyof ActivitySearch, value: string): void =>
    onChoose({ [name]: undefined, ...readActivitySearch({ [name]: value }) })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <SelectField
        label={words.kind}
        value={filters.kind ?? ''}
        onChange={({ target }) => choose('kind', target.value)}
      >
        <option value="">{words.allKinds}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </SelectField>
      <DayFields from={filters.from} to={filters.to} isBackwards={isBackwards} onChoose={choose} />
    </div>
  )
}
