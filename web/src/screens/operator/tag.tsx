import type { ReactNode } from 'react'
import type { NoticeKind } from '../../parts/notice.tsx'

const KINDS: Readonly<Record<NoticeKind, string>> = {
  good: 'bg-good-paper text-good',
  warn: 'bg-warn-paper text-warn',
  danger: 'bg-danger-paper text-danger',
  plain: 'bg-tint text-ink',
}

/** A state in a word: its colour only underlines what the word says. */
export function Tag({
  kind = 'plain',
  children,
}: {
  readonly kind?: NoticeKind
  readonly children: ReactNode
}) {
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${KINDS[kind]}`}
    >
      {children}
    </span>
  )
}
