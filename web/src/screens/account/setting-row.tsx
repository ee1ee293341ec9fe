import type { ReactNode } from 'react'

/** What is set, and the ways to change it. */
export function SettingRow({
  name,
  value,
  actions,
}: {
  readonly name: ReactNode
  readonly value: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0">
      <div className="min-w-0 grow basis-44">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere text-soft">{value}</p>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  )
}
