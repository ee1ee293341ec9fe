import { useWords } from '../words/language.tsx'
import { TextField } from './field.tsx'
import { partWords } from './words.ts'

/** The first and the last day of a filter, in UTC as the service counts days; empty is no bound. */
export function DayFields({
  from = '',
  to = '',
  isBackwards,
  onChoose,
}: {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly isBackwards: boolean
  readonly onChoose: (end: 'from' | 'to', day: string) => void
}) {
  const words = useWords(partWords)
  return (
    <>
      <TextField
        type="date"
        label={words.fromDay}
        value={from}
        problem={isBackwards ? words.backwards : undefined}
        onChange={({ target }) => onChoose('from', target.value)}
      />
      <TextField
        type="date"
        label={words.toDay}
        value={to}
        onChange={({ target }) => onChoose('to', target.value)}
      />
    </>
  )
}
