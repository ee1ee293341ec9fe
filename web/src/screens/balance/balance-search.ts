import { keepGiven, readText, type GivenSearch } from '../../parts/given-search.ts'

export interface BalanceSearch {
  /** The top-up whose checkout somebody comes back from. */
  readonly topup?: string | undefined
}

export function readBalanceSearch(given: GivenSearch): BalanceSearch {
  return keepGiven({ topup: readText(given['topup']) })
}
