import { ok, problem, warning, type Finding } from '../finding.ts'

/** Ceilings and windows are of UTC days and minutes; leases of replicas are of seconds. */
const OFF_MS = { warning: 2_000, problem: 30_000 } as const

/** How far another clock is from ours; `toleranceMs` is how exactly it was read. */
export function judgeDifference(aheadMs: number, whose: string, toleranceMs = 0): Finding {
  const offMs = Math.max(0, Math.abs(aheadMs) - toleranceMs)
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(toleranceMs > 0 ? 0 : 3)
  const side = aheadMs > 0 ? 'behind' : 'ahead of'
  if (offMs < OFF_MS.warning) {
    const exact = toleranceMs > 0 ? ' to the second' : `, within ${seconds} s`
    return ok(`The clock agrees with that of ${whose}${exact}.`)
  }
  const found = `The clock is ${seconds} s ${side} that of ${whose}.`
  const advice = 'Have both set by NTP: days, limits and sign-ins depend on it.'
  return offMs < OFF_MS.problem ? warning(found, advice) : problem(found, advice)
}
