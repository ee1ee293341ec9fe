import { useEffect, useRef } from 'react'
import { Notice } from '../../parts/notice.tsx'

/** What was just done, above the rows that it was done to. */
export function DoneNotice({ text }: { readonly text: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  // The button that began it may have gone with what it was about, and the focus with it.
  useEffect(() => {
    if (text !== undefined && document.activeElement === document.body) place.current?.focus()
  }, [text])
  if (text === undefined) return null
  return (
    <div ref={place} tabIndex={-1} className="mb-4 outline-none">
      <Notice kind="good">{text}</Notice>
    </div>
  )
}
