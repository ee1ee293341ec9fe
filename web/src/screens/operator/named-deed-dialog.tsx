import { useState, type ReactNode } from 'react'
import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import { operatorWords } from './words.ts'

/** For what cannot be undone: it is done to what is named, and to nothing that was only clicked. */
export function NamedDeedDialog({
  name,
  children,
  ...deed
}: {
  readonly name: string
  readonly title: string
  readonly act: string
  readonly run: () => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const words = useWords(operatorWords)
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const matches = typed.trim() === name.trim()
  return (
    <DeedDialog
      {...deed}
      kind="danger"
      isReady={() => {
        setIsWrong(!matches)
        return matches
      }}
    >
      {children}
      <TextField
        label={<span className="wrap-anywhere">{words.typeName(name)}</span>}
        problem={isWrong && !matches ? words.nameDiffers : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </DeedDialog>
  )
}
