import type { ComponentProps, ReactNode } from 'react'

interface RowButtonProps extends ComponentProps<'button'> {
  /** Whose row it is in, told to whoever hears only the button. */
  readonly of: string
  readonly children: ReactNode
}

/** A button in a row of a table: quiet, for there is one in each. */
export function RowButton({ of, children, ...rest }: RowButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // What only ears get is placed within, or the page would scroll to where it stands.
      className="relative -my-0.5 min-h-6 text-left whitespace-nowrap text-accent underline underline-offset-4 hover:text-accent-strong"
    >
      {children}
      <span className="sr-only"> ({of})</span>
    </button>
  )
}
