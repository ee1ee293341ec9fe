import { useId, type KeyboardEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextArea } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { playgroundWords } from './words.ts'

/** Where the next message is written; the button that sends it stops the reply to it. */
export function Composer({
  draft,
  onDraft,
  isReady,
  isUnderWay,
  onSend,
  onStop,
}: {
  readonly draft: string
  readonly onDraft: (draft: string) => void
  readonly isReady: boolean
  readonly isUnderWay: boolean
  readonly onSend: () => void
  readonly onStop: () => void
}) {
  const words = useWords(playgroundWords)
  const canSend = isReady && !isUnderWay && draft.trim() !== ''
  function send(): void {
    if (canSend) onSend()
  }
  function sendByEnter(event: KeyboardEvent): void {
    // Enter also ends what is composed of several keys, such as Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={words.message}
        hint={words.messageHint}
        rows={3}
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={sendByEnter}
      />
      {isUnderWay ? (
        <StopButton onStop={onStop} />
      ) : (
        <div>
          <Button type="submit" disabled={!canSend}>
            {words.send}
          </Button>
        </div>
      )}
    </form>
  )
}

function StopButton({ onStop }: { readonly onStop: () => void }) {
  const words = useWords(playgroundWords)
  const hintId = useId()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="danger" aria-describedby={hintId} onClick={onStop}>
        {words.stop}
      </Button>
      <p id={hintId} className="text-sm text-soft">
        {words.stopHint}
      </p>
    </div>
  )
}
