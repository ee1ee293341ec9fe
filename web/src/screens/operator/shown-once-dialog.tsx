import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { operatorWords } from './words.ts'

/** A secret that nobody can read again: it goes when its reader says that they have it. */
export function ShownOnceDialog({
  title,
  label,
  secret,
  onClose,
}: {
  readonly title: string
  /** What the secret is. */
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
}) {
  const words = useWords(operatorWords)
  return (
    <Dialog title={title} locked onClose={onClose}>
      <Notice kind="warn">{words.shownOnce}</Notice>
      <CodeBlock code={secret} label={label} />
      <div className="flex justify-end">
        <Button onClick={onClose}>{words.stored}</Button>
      </div>
    </Dialog>
  )
}
