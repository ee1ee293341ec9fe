import { useState, type SubmitEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { requestsWords } from './words.ts'

/** For somebody who has an id from a log or from a message to support. */
export function FindRequest({ onFind }: { readonly onFind: (requestId: string) => void }) {
  const words = useWords(requestsWords)
  const [id, setId] = useState('')
  const [isTold, setIsTold] = useState(false)
  const wanted = id.trim()
  const isMissing = wanted === ''
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setIsTold(isMissing)
    if (!isMissing) onFind(wanted.slice(0, 100))
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="w-full min-w-0 sm:w-96">
        <TextField
          label={words.find}
          hint={words.findHint}
          problem={isTold && isMissing ? words.findNothing : undefined}
          value={id}
          autoComplete="off"
          spellCheck={false}
          placeholder="req_…"
          onChange={({ target }) => setId(target.value)}
        />
      </div>
      <Button type="submit" kind="second">
        {words.findButton}
      </Button>
    </form>
  )
}
