import type { ReactNode } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
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
  readonly kind?: 'primary' | 'danger'
  /** Looks at what was typed, and shows what is wrong with it. */
  readonly isReady?: () => boolean
  readonly run: () => Promise<Result>
  readonly onDone?: (result: Result) => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const deed = useDeed(run)
  async function submit(): Promise<void> {
    if (isReady?.() === false) return
    // Whoever closes the dialog meanwhile is told all the same: what came of it may be shown only once.
    const result = await deed.mutateAsync(undefined)
    onClose()
    onDone?.(result)
  }
  return (
    <FormDialog
      title={title}
      submit={act}
      kind={kind}
      busy={deed.isPending}
      problem={deed.error ?? undefined}
      // What it was refused with stands in the dialog.
      onSubmit={() => void submit().catch(() => undefined)}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
