import { useNow } from '../format/use-now.ts'
import { useAccountId } from './chosen-account.tsx'
import { useStanding } from './standing.ts'

const STEP_MS = 10_000

/** The service's time, by which keys expire and days begin; the browser's until it is known. */
export function useServiceNow(): number {
  const { data, dataUpdatedAt } = useStanding(useAccountId())
  const nowMs = useNow(STEP_MS)
  return data ? data.as_of + Math.max(0, nowMs - dataUpdatedAt) : nowMs
}
