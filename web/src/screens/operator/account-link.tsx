import type { ReactNode } from 'react'
import { TextLink } from './text-link.tsx'

/** To the operator's page of an account, by its id unless something tells it better. */
export function AccountLink({
  accountId,
  children,
}: {
  readonly accountId: string
  readonly children?: ReactNode
}) {
  return (
    <TextLink to="/console/operator/accounts/$accountId" params={{ accountId }}>
      {children ?? <code className="font-mono text-xs">{accountId}</code>}
    </TextLink>
  )
}
