import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const LINK = 'inline-block min-h-6 wrap-anywhere text-accent underline underline-offset-4'

/** To the operator's page of an account, by its id unless something tells it better. */
export function AccountLink({
  accountId,
  children,
}: {
  readonly accountId: string
  readonly children?: ReactNode
}) {
  return (
    <Link to="/console/operator/accounts/$accountId" params={{ accountId }} className={LINK}>
      {children ?? <code className="font-mono text-xs">{accountId}</code>}
    </Link>
  )
}
