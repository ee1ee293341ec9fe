import { isDay } from '../../format/utc-days.ts'
import { keepGiven, oneOf, readText, type GivenSearch } from '../../parts/given-search.ts'

export const RANGES = ['7d', '30d', '90d', 'month', 'last-month', 'custom'] as const
export type Range = (typeof RANGES)[number]

export const MEASURES = ['cost', 'in', 'out', 'requests'] as const
export type Measure = (typeof MEASURES)[number]

/** What the address says: the last 30 days and their cost where it says nothing. */
export interface UsageSearch {
  readonly range?: Range | undefined
  /** UTC days, for a range of one's own. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly key?: string | undefined
  readonly show?: Measure | undefined
}

export function readUsageSearch(given: GivenSearch): UsageSearch {
  return keepGiven({
    range: oneOf(RANGES, given['range']),
    from: isDay(given['from']) ? given['from'] : undefined,
    to: isDay(given['to']) ? given['to'] : undefined,
    key: readText(given['key']),
    show: oneOf(MEASURES, given['show']),
  })
}
