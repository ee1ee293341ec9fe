import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useWords } from '../../../words/language.tsx'
import { booksWords } from './words.ts'

interface Range {
  readonly from: string
  readonly to: string
}

export function DayRange({
  from,
  to,
  onChoose,
}: Range & { readonly onChoose: (range: Range) => void }) {
  const words = useWords(booksWords)
  const [range, setRange] = useState<Range>({ from, to })
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(range)
      }}
    >
      <TextField
        label={words.from}
        type="date"
        max={range.to}
        value={range.from}
        onChange={(event) => setRange({ ...range, from: event.target.value })}
      />
      <TextField
        label={words.to}
        type="date"
        min={range.from}
        value={range.to}
        onChange={(event) => setRange({ ...range, to: event.target.value })}
      />
      <Button type="submit" kind="second">
        {words.show}
      </Button>
    </form>
  )
}
