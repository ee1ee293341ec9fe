import { useSyncExternalStore } from 'react'

/** The browser's time, which moves on in steps of so many milliseconds. */
export function useNow(everyMs: number): number {
  return useSyncExternalStore(
    (onChange) => {
      const timer = setInterval(onChange, everyMs)
      return () => clearInterval(timer)
    },
    () => Math.floor(new Date().getTime() / everyMs) * everyMs,
  )
}
