import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { signInWords } from './sign-in-words.ts'

/** Shown once: it closes only for who says that they have stored them. */
export function RecoveryCodesDialog({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const words = useWords(signInWords)
  const [isStored, setIsStored] = useState(false)
  const text = codes.join('\n')
  const file = useMemo(() => URL.createObjectURL(new Blob([`${text}\n`])), [text])
  useEffect(() => () => URL.revokeObjectURL(file), [file])
  return (
    <Dialog title={words.codesTitle} locked onClose={() => undefined}>
      <p>{words.codesText}</p>
      <ul
        aria-label={words.codesLabel}
        className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-lg border border-line bg-paper p-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={words.copyCodes} />
        <a
          href={file}
          download="parley-recovery-codes.txt"
          className="inline-flex min-h-10 items-center rounded-lg border border-edge px-4 py-2 font-medium hover:bg-tint"
        >
          {words.download}
        </a>
      </div>
      <CheckField
        label={words.stored}
        checked={isStored}
        onChange={(event) => setIsStored(event.target.checked)}
      />
      <Button disabled={!isStored} className="self-start" onClick={onDone}>
        {words.done}
      </Button>
    </Dialog>
  )
}
