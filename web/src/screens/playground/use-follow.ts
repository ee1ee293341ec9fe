import { useEffect, useRef, type RefObject } from 'react'

/** How near its end one has to be for it to be followed: a line or two. */
const NEAR = '80px'

/**
 * Keeps the end of what grows in sight, unless its reader has gone up to read; what they have asked
 * themselves, always.
 */
export function useFollow(
  whole: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  asked: number,
): void {
  const isNear = useRef(true)
  useEffect(() => {
    const [growing, last] = [whole.current, end.current]
    if (!growing || !last) return undefined
    const sight = new IntersectionObserver(
      ([entry]) => (isNear.current = entry?.isIntersecting ?? true),
      { rootMargin: NEAR },
    )
    const growth = new ResizeObserver(() => {
      if (isNear.current) last.scrollIntoView({ block: 'nearest' })
    })
    sight.observe(last)
    growth.observe(growing)
    return () => {
      sight.disconnect()
      growth.disconnect()
    }
  }, [whole, end])
  useEffect(() => {
    if (asked > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [end, asked])
}
