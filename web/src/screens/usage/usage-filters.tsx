import { useMay } from '../../api/rights.ts'
import { Choice } from '../../parts/choice.tsx'
import { TextField } from '../../parts/field.tsx'
import { KeyField } from '../../parts/key-field.tsx'
import { useWords } from '../../words/language.tsx'
import { findRangeProblem, type Days } from './usage-range.ts'
import { RANGES, type UsageSearch } from './usage-search.ts'
import { usageWords } from './words.ts'

/** Which days and which key: all of it stands in the address. */
export function UsageFilters({
  search,
  days,
  onChoose,
}: {
  readonly search: UsageSearch
  readonly days: Days
  readonly onChoose: (change: UsageSearch) => void
}) {
  const words = useWords(usageWords)
  const maySeeKeys = useMay()('see_keys')
  const range = search.range ?? '30d'
  const problem = findRangeProblem(days)
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
      <Choice
        legend={words.range}
        value={range}
        options={RANGES.map((value) => ({ value, label: words.ranges[value] }))}
        onChoose={(chosen) =>
          // One's own range begins with the days that were there before.
          onChoose({ range: chosen, ...(chosen === 'custom' && days) })
        }
      />
      {range === 'custom' && (
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            type="date"
            label={words.from}
            value={days.from}
            problem={problem && words[problem]}
            onChange={({ target }) => target.value && onChoose({ from: target.value })}
          />
          <TextField
            type="date"
            label={words.to}
            value={days.to}
            onChange={({ target }) => target.value && onChoose({ to: target.value })}
          />
        </div>
      )}
      {maySeeKeys && (
        <div className="w-full sm:w-64">
          <KeyField keyId={search.key} onChoose={(key) => onChoose({ key })} />
        </div>
      )}
    </div>
  )
}
