import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { operatorWords } from './words.ts'

/** Looks for one thing when Enter is pressed; given another `value`, it has to be another one (`key`). */
export function SearchForm({
  label,
  hint,
  value,
  type = 'search',
  onSearch,
}: {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly type?: 'search' | 'email'
  readonly onSearch: (value: string) => void
}) {
  const words = useWords(operatorWords)
  const [typed, setTyped] = useState(value)
  return (
    <form
      role="search"
      noValidate
      className="flex max-w-2xl min-w-0 flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(typed.trim())
      }}
    >
      <div className="min-w-48 grow">
        <TextField
          label={label}
          {...(hint !== undefined && { hint })}
          type={type}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button type="submit" kind="second">
        {words.search}
      </Button>
      {value !== '' && (
        <Button kind="quiet" onClick={() => onSearch('')}>
          {words.clear}
        </Button>
      )}
    </form>
  )
}
