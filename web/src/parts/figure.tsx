import type { ReactNode } from 'react'

/** One figure that a screen is about, with its name and what is to be said of it. */
export function Figure({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{name}</dt>
      <dd>
        <span className="block text-2xl font-semibold tracking-tight wrap-anywhere tabular-nums">
          {value}
        </span>
        {children !== undefined && <span className="text-sm text-soft">{children}</span>}
      </dd>
    </div>
  )
}
