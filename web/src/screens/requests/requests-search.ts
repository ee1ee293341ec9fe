import { isDay } from '../../format/utc-days.ts'
import { keepGiven, oneOf, readText, type GivenSearch } from '../../parts/given-search.ts'

export const BRANDS = ['air', 'prime', 'nova'] as const
export const ENDINGS = ['completed', 'client_left', 'upstream_failed'] as const

/** What the address filters by, and the request that is open. */
export interface RequestsSearch {
  readonly model?: (typeof BRANDS)[number] | undefined
  readonly key?: string | undefined
  readonly ended?: (typeof ENDINGS)[number] | undefined
  /** UTC days, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly request?: string | undefined
}

export function readRequestsSearch(given: GivenSearch): RequestsSearch {
  return keepGiven({
    model: oneOf(BRANDS, given['model']),
    key: readText(given['key']),
    ended: oneOf(ENDINGS, given['ended']),
    from: isDay(given['from']) ? given['from'] : undefined,
    to: isDay(given['to']) ? given['to'] : undefined,
    request: readText(given['request']),
  })
}
