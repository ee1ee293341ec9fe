import { readEuros } from '../../format/read-euros.ts'
import { isDay } from '../../format/utc-days.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const MAX_NAME = 100

export const EXPIRIES = ['never', '7', '30', '90', 'year', 'date'] as const
/** `keep` leaves a key's expiry as it is. */
export type Expiry = (typeof EXPIRIES)[number] | 'keep'

/** What somebody has filled in. */
export interface KeyForm {
  readonly name: string
  readonly expiry: Expiry
  /** The last day, where the expiry is a date. */
  readonly day: string
  /** Empty: none. */
  readonly ceiling: string
}

export interface KeyWish {
  readonly name: string
  /** Left out where it stays as it is. */
  readonly expires_at?: number | null
  readonly daily_ceiling_eur: string | null
}

export type FormProblem = 'name' | 'day' | 'ceiling'

/** What is asked of the service, or which field says nothing that could be asked. */
export function readKeyForm(form: KeyForm, nowMs: number): KeyWish | FormProblem {
  const name = form.name.trim()
  // The contract counts code points.
  const length = Array.from(name).length
  if (length === 0 || length > MAX_NAME) return 'name'
  const expiresAt = readExpiry(form, nowMs)
  if (expiresAt === 'wrong') return 'day'
  const isNone = form.ceiling.trim() === ''
  const ceiling = isNone ? null : readEuros(form.ceiling)
  if (ceiling === undefined) return 'ceiling'
  return {
    name,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    daily_ceiling_eur: ceiling,
  }
}

function readExpiry({ expiry, day }: KeyForm, nowMs: number): number | null | undefined | 'wrong' {
  switch (expiry) {
    case 'keep':
      return undefined
    case 'never':
      return null
    case '7':
    case '30':
    case '90':
      return nowMs + Number(expiry) * DAY_MS
    case 'year':
      return nowMs + YEAR_DAYS * DAY_MS
    case 'date': {
      if (!isDay(day)) return 'wrong'
      const endMs = Date.parse(day) + DAY_MS
      return endMs > nowMs ? endMs : 'wrong'
    }
  }
}
