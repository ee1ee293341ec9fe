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
  const hasBegun = asked > 0
  useEffect(() => {
    const [growing, last] = [whole.current, end.current]
    // What is there before anything was said is read from its beginning.
    if (!growing || !last || !hasBegun) return undefined
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
  }, [whole, end, hasBegun])
  useEffect(() => {
    if (asked > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [end, asked])
}
