import { isDay } from '../../format/utc-days.ts'
import { keepGiven, oneOf, type GivenSearch } from '../../parts/given-search.ts'

export const KINDS = ['keys', 'money', 'limits', 'sign_in', 'apps', 'members', 'account'] as const

/** What the address filters by. */
export interface ActivitySearch {
  readonly kind?: (typeof KINDS)[number] | undefined
  /** UTC days, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function readActivitySearch(given: GivenSearch): ActivitySearch {
  return keepGiven({
    kind: oneOf(KINDS, given['kind']),
    from: isDay(given['from']) ? given['from'] : undefined,
    to: isDay(given['to']) ? given['to'] : undefined,
  })
}
