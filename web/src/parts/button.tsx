import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useMayOpen } from '../api/screen-rights.ts'

export type ButtonKind = 'primary' | 'second' | 'danger' | 'quiet'

const SHAPE =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 py-2 font-medium transition-colors disabled:opacity-60 aria-disabled:opacity-60'
const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  second: 'border border-edge bg-card text-ink hover:bg-tint',
  danger: 'border border-danger bg-card text-danger hover:bg-danger-paper',
  quiet: 'text-accent underline underline-offset-4 hover:text-accent-strong',
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind
  /** Something is under way: it stays where it is and takes no second click. */
  readonly busy?: boolean
}

export function Button({ kind = 'primary', busy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // One that is disabled outright would lose the focus, and whoever is at the keyboard their place.
      {...(busy && { 'aria-disabled': true, onClick: takeNothing })}
      aria-busy={busy}
      className={`${SHAPE} ${KINDS[kind]} ${className ?? ''}`}
    />
  )
}

/** Neither pressed nor, by Enter in a field of its form, sent. */
function takeNothing(event: MouseEvent): void {
  event.preventDefault()
}

/** A link to another screen that looks like a button; nothing where the screen is not for one's role. */
export function ButtonLink({
  kind = 'primary',
  children,
  ...link
}: LinkProps & { readonly kind?: ButtonKind; readonly children: ReactNode }) {
  const mayOpen = useMayOpen()
  if (!mayOpen(link.to)) return null
  return (
    <Link {...link} className={`${SHAPE} ${KINDS[kind]}`}>
      {children}
    </Link>
  )
}
