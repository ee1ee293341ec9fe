import { useState } from 'react'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { partWords } from './words.ts'

type State = 'ready' | 'copied' | 'failed'

export function CopyButton({
  text,
  label,
  isSmall = false,
}: {
  readonly text: string
  readonly label?: string
  /** Beside what it copies, in a row of many: without a label its name says what that is. */
  readonly isSmall?: boolean
}) {
  const words = useWords(partWords)
  const [state, setState] = useState<State>('ready')
  const says: Readonly<Record<State, string>> = {
    ready: label ?? words.copy,
    copied: words.copied,
    failed: words.copyFailed,
  }
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      // Plain http on another host, or not allowed.
      setState('failed')
    }
  }
  return (
    <Button
      kind="second"
      onClick={() => void copy()}
      {...(isSmall && { className: 'relative min-h-7! px-2! py-0.5! text-xs' })}
    >
      <span aria-live="polite">{says[state]}</span>
      {isSmall && label === undefined && <span className="sr-only">{text}</span>}
    </Button>
  )
}
