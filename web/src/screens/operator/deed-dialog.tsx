import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/language.tsx'
import { useDeed } from './use-deed.ts'

/**
 * Says what is about to happen, and does it when it is told to. What the service refuses stands beside
 * the button, and nothing that was typed is lost.
 */
export function DeedDialog<Result>({
  title,
  act,
  kind = 'primary',
  isReady,
  run,
  onDone,
  onClose,
  children,
}: {
  readonly title: string
  /** What the button says. */
  readonly act: string
  readonly kind?: ButtonKind
  /** Looks at what was typed, and shows what is wrong with it. */
  readonly isReady?: () => boolean
  readonly run: () => Promise<Result>
  readonly onDone?: (result: Result) => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const { cancel } = useWords(partWords)
  const deed = useDeed(run)
  function submit(): void {
    if (deed.isPending || isReady?.() === false) return
    deed.mutate(undefined, {
      onSuccess: (result) => {
        onClose()
        onDone?.(result)
      },
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {children}
        {deed.error && <ProblemNote problem={deed.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button kind="second" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" kind={kind} busy={deed.isPending}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
