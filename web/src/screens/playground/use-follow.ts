import { useEffect, useRef, type RefObject } from 'react'

/** Keeps the end of something that grows in sight, unless its reader has gone up to read. */
export function useFollow(end: RefObject<HTMLElement | null>): void {
  const isInSight = useRef(true)
  useEffect(() => {
    const element = end.current
    if (!element) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => (isInSight.current = entry?.isIntersecting ?? true),
      { rootMargin: '80px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [end])
  // After whatever was drawn: it may have grown.
  useEffect(() => {
    if (isInSight.current) end.current?.scrollIntoView({ block: 'nearest' })
  })
}
