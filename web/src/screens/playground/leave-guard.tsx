import { useBlocker } from '@tanstack/react-router'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { playgroundWords } from './words.ts'

/** Leaving asks only while a reply comes: it would be cut off, and is paid for. */
export function LeaveGuard({
  isUnderWay,
  onLeave,
}: {
  readonly isUnderWay: boolean
  readonly onLeave: () => void
}) {
  const words = useWords(playgroundWords)
  const blocker = useBlocker({
    shouldBlockFn: () => isUnderWay,
    enableBeforeUnload: () => isUnderWay,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <FormDialog
      title={words.leaveTitle}
      submit={words.leave}
      kind="danger"
      busy={false}
      onSubmit={() => {
        onLeave()
        blocker.proceed()
      }}
      onClose={blocker.reset}
    >
      <p>{words.leaveText}</p>
    </FormDialog>
  )
}
