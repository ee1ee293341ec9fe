import { useEffect, useRef, type ReactNode, type SubmitEvent } from 'react'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './states.tsx'
import { partWords } from './words.ts'

/** A question in a dialog: what it asks for, one button that does it, and a way out. */
export function FormDialog({
  title,
  submit,
  kind = 'primary',
  busy,
  problem,
  canSubmit = true,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string
  /** What the button says. */
  readonly submit: string
  readonly kind?: 'primary' | 'danger'
  readonly busy: boolean
  /** What is not about one of the fields. */
  readonly problem?: Error | undefined
  readonly canSubmit?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const words = useWords(partWords)
  const form = useRef<HTMLFormElement>(null)
  // The dialog itself would begin at the button that closes it; and a busy button loses the focus.
  useEffect(() => {
    if (busy) return
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    // What cannot be undone is not what Enter does first.
    const button = find(kind === 'danger' ? 'button[type="button"]' : 'button')
    const next =
      find('[aria-invalid="true"]') ?? find('input:not([hidden]), textarea, select') ?? button
    next?.focus()
  }, [busy, kind])
  function send(event: SubmitEvent): void {
    event.preventDefault()
    if (!busy && canSubmit) onSubmit()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} noValidate onSubmit={send} className="flex flex-col gap-4">
        {children}
        {problem && <ProblemNote problem={problem} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind={kind} busy={busy} disabled={!canSubmit}>
            {submit}
          </Button>
          <Button kind="second" onClick={onClose}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
