import type { ToolCall } from 'parley-client'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextArea } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { playgroundWords } from './words.ts'

/** The model waits for its functions: a field for what each would give. */
export function ResultForm({
  calls,
  isReady,
  onSend,
}: {
  readonly calls: readonly ToolCall[]
  readonly isReady: boolean
  readonly onSend: (
    results: readonly { readonly call: ToolCall; readonly content: string }[],
  ) => void
}) {
  const words = useWords(playgroundWords)
  const [contents, setContents] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  // It stands where the message was written, which had the focus.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  return (
    <form
      ref={form}
      className="flex max-h-[50dvh] flex-col gap-4 overflow-y-auto p-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onSend(calls.map((call) => ({ call, content: contents[call.id] ?? '' })))
      }}
    >
      {calls.map((call) => (
        <TextArea
          key={call.id}
          label={words.result(call.function.name)}
          hint={words.resultHint}
          rows={2}
          value={contents[call.id] ?? ''}
          onChange={(event) => setContents({ ...contents, [call.id]: event.target.value })}
        />
      ))}
      <div>
        <Button type="submit" disabled={!isReady}>
          {words.sendResults}
        </Button>
      </div>
    </form>
  )
}
