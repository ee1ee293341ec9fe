import { useEffect, useRef } from 'react'
import { Notice } from '../../parts/notice.tsx'

/** What was just done. */
export function DoneNotice({ text }: { readonly text: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  // The row's button may have gone with its key, and the focus with it.
  useEffect(() => {
    if (text !== undefined && document.activeElement === document.body) place.current?.focus()
  }, [text])
  if (text === undefined) return null
  return (
    <div ref={place} tabIndex={-1} className="wrap-anywhere outline-none">
      <Notice kind="good">{text}</Notice>
    </div>
  )
}
