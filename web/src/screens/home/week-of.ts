import type { ReplyTo } from '../../api/client.ts'
import { addEuros } from '../../format/exact-euros.ts'
import { addDays, listDays, utcDay } from '../../format/utc-days.ts'

type Usage = ReplyTo<'get /console/api/accounts/{account_id}/usage'>

export interface SpentDay {
  readonly day: string
  readonly costEur: string
}

/** The seven UTC days that end with the one of this moment. */
export function weekUntil(nowMs: number): { readonly from: string; readonly to: string } {
  const to = utcDay(new Date(nowMs))
  return { from: addDays(to, -6), to }
}

/** What each day of the range cost, those without use included. */
export function spentByDay({ from, to, days }: Pick<Usage, 'from' | 'to' | 'days'>): SpentDay[] {
  return listDays(from, to).map((day) => ({
    day,
    costEur: addEuros(days.filter((one) => one.day === day).map((one) => one.cost_eur)),
  }))
}
