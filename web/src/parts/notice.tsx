import type { ReactNode } from 'react'

export type NoticeKind = 'good' | 'warn' | 'danger' | 'plain'

const KINDS: Readonly<Record<NoticeKind, string>> = {
  good: 'border-good bg-good-paper text-good',
  warn: 'border-warn bg-warn-paper text-warn',
  danger: 'border-danger bg-danger-paper text-danger',
  plain: 'border-line bg-tint text-ink',
}

/** Something that its reader should know now. What went wrong interrupts; the rest waits its turn. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: NoticeKind
  readonly children: ReactNode
}) {
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'status'}
      className={`min-w-0 rounded-lg border-l-4 p-4 wrap-anywhere ${KINDS[kind]}`}
    >
      {children}
    </div>
  )
}
