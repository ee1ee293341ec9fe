import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
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
      <SendOrStop canSend={canSend} isUnderWay={isUnderWay} onStop={onStop} />
    </form>
  )
}

/** One button that stays where it is, so that it keeps the focus. */
function SendOrStop({
  canSend,
  isUnderWay,
  onStop,
}: {
  readonly canSend: boolean
  readonly isUnderWay: boolean
  readonly onStop: () => void
}) {
  const words = useWords(playgroundWords)
  const hintId = useId()
  const button = useRef<HTMLButtonElement>(null)
  // Where results were given before, the form that had the focus is gone.
  useEffect(() => {
    if (isUnderWay && document.activeElement === document.body) button.current?.focus()
  }, [isUnderWay])
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        ref={button}
        type={isUnderWay ? 'button' : 'submit'}
        kind={isUnderWay ? 'danger' : 'primary'}
        aria-disabled={!isUnderWay && !canSend}
        className="aria-disabled:opacity-60"
        {...(isUnderWay && { 'aria-describedby': hintId, onClick: onStop })}
      >
        {isUnderWay ? words.stop : words.send}
      </Button>
      {isUnderWay && (
        <p id={hintId} className="text-sm text-soft">
          {words.stopHint}
        </p>
      )}
    </div>
  )
}
