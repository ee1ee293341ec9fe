import { addDays } from '../../format/utc-days.ts'
import type { UsageSearch } from './usage-search.ts'

/** UTC days, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The most that the service adds up at once. */
const MAX_DAYS = 400

/** The days that a search asks for; of a range of one's own what is missing is what is likely. */
export function findDays({ range = '30d', from, to }: UsageSearch, today: string): Days {
  switch (range) {
    case '7d':
      return { from: addDays(today, -6), to: today }
    case '30d':
      return { from: addDays(today, -29), to: today }
    case '90d':
      return { from: addDays(today, -89), to: today }
    case 'month':
      return { from: firstOfMonth(today), to: today }
    case 'last-month': {
      const last = addDays(firstOfMonth(today), -1)
      return { from: firstOfMonth(last), to: last }
    }
    case 'custom': {
      const end = to ?? today
      return { from: from ?? addDays(end, -29), to: end }
    }
  }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** Why days cannot be asked for; undefined where they can. */
export function findRangeProblem({ from, to }: Days): 'backwards' | 'tooMany' | undefined {
  if (from > to) return 'backwards'
  return addDays(from, MAX_DAYS - 1) < to ? 'tooMany' : undefined
}
