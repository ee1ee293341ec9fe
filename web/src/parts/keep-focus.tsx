import { useEffect, useRef, type ReactNode } from 'react'

/** Takes the focus where what had it is gone: whoever uses the keyboard goes on here, not at the top. */
export function KeepFocus({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus()
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="flex min-w-0 flex-col gap-4 outline-none">
      {children}
    </div>
  )
}
