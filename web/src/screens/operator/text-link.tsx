import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** To another screen, in running text or a row. */
export function TextLink({
  children,
  ...link
}: LinkProps & { readonly children: ReactNode; readonly title?: string }) {
  return (
    <Link
      {...link}
      className="inline-block min-h-6 wrap-anywhere text-accent underline underline-offset-4 hover:text-accent-strong"
    >
      {children}
    </Link>
  )
}
