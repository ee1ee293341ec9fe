import { useSyncExternalStore } from 'react'
import { utcDay } from './utc-days.ts'

const MINUTE_MS = 60_000

/** The UTC day that it is now, on a page that stays open over midnight too. */
export function useToday(): string {
  return useSyncExternalStore(everyMinute, () => utcDay(new Date()))
}

function everyMinute(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS)
  return () => clearInterval(timer)
}
