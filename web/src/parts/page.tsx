import { useEffect, useRef, type ReactNode } from 'react'

/** A screen: its title is the document's, and is where reading begins after each step. */
export function Page({
  title,
  intro,
  actions,
  children,
}: {
  readonly title: string
  readonly intro?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – Parley`
  }, [title])
  useEffect(() => {
    // On the first load browsers begin at the top themselves.
    if (document.body.dataset['moved'] === 'true') heading.current?.focus()
    document.body.dataset['moved'] = 'true'
  }, [])
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-2xl tracking-tight outline-none">
            {title}
          </h1>
          {intro !== undefined && <p className="mt-1 max-w-prose text-soft">{intro}</p>}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{actions}</div>
        )}
      </header>
      {children}
    </div>
  )
}

/** A part of a screen with a heading of its own. */
export function Card({
  title,
  aside,
  children,
}: {
  readonly title?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="min-w-0 rounded-xl border border-line bg-card p-4 shadow-xs sm:p-6">
      {title !== undefined && (
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="text-lg">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
