import { utcDay } from '#platform/clock.ts'
import type { NanoEuro } from '#platform/money.ts'
import type { Course } from '#ledger/index.ts'
import type { AlertSettings } from './settings.ts'
import type { AlertKind } from './tables.ts'

/** Something to be told of once: what it is called in `alert_sent`. */
export interface Crossing {
  readonly accountId: string
  readonly kind: AlertKind
  readonly level: number
  readonly period: number
}

export interface Looked {
  readonly accountId: string
  readonly course: Course
  readonly ceiling: NanoEuro | null
  readonly settings: AlertSettings
}

/** In percent of the ceiling. */
const LEVELS = [50, 80, 100] as const

const DAY_MS = 86_400_000

/**
 * What an account has crossed by now. It follows from the books alone, so it is found again until it
 * has been told, whoever looks and however late.
 */
export function findCrossings(looked: Looked, nowMs: number): Crossing[] {
  return [...findLowBalance(looked), ...findCeilingLevels(looked, nowMs)]
}

/**
 * Only raises lift a balance, so one that is below now and was above after the last raise has crossed
 * once since; with the next raise another crossing can come. Whoever never was above, as with the
 * free credit alone, has crossed nothing.
 */
function findLowBalance({ accountId, course, settings }: Looked): Crossing[] {
  const { lowBalance } = settings
  if (lowBalance === null || course.balance >= lowBalance) return []
  if (course.raisedTo < lowBalance) return []
  return [{ accountId, kind: 'low_balance', level: lowBalance, period: course.raises }]
}

function findCeilingLevels(
  { accountId, course, ceiling, settings }: Looked,
  nowMs: number,
): Crossing[] {
  const { spent, spentDay } = course
  // What was reached yesterday bars nobody today.
  if (!settings.ceiling || !ceiling || spentDay < utcDay(nowMs)) return []
  const period = Date.parse(spentDay) / DAY_MS
  const reached = LEVELS.filter((level) => BigInt(spent) * 100n >= BigInt(ceiling) * BigInt(level))
  return reached.map((level) => ({ accountId, kind: 'ceiling', level, period }))
}
