import type { ReactNode } from 'react'
import { useWords } from '../../words/language.tsx'
import { startWords } from './words.ts'

export function Step({
  number,
  title,
  isDone,
  children,
}: {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}) {
  const words = useWords(startWords)
  const look = isDone ? 'border-good bg-good-paper text-good' : 'border-edge text-ink'
  return (
    <li className="min-w-0 rounded-xl border border-line bg-card p-4 shadow-xs sm:p-6">
      <div className="mb-4 flex items-center gap-3">
        <span
          aria-hidden="true"
          className={`flex size-8 shrink-0 items-center justify-center rounded-full border font-semibold ${look}`}
        >
          {isDone ? '✓' : number}
        </span>
        <h2 className="text-lg">
          <span className="sr-only">
            {words.step(String(number))}
            {isDone && `, ${words.doneStep}`}:{' '}
          </span>
          {title}
        </h2>
      </div>
      {children}
    </li>
  )
}
