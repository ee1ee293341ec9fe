import type { FastifyRequest } from 'fastify'
import { utcDay, type Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Ledger, UsageFigures } from '#ledger/index.ts'
import type { OwnUsage } from '../contract/index.ts'
import { readDay } from '../operator/days-and-places.ts'
import { accountOf } from './authorize.ts'

export interface UsageTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly clock: Clock
}

interface UsageQuery {
  readonly from?: string
  readonly to?: string
  readonly key_id?: string
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 400
/** More than a chart can tell apart. */
const MAX_KEYS = 100

/** What a person's own account used: day by day, never request by request. */
export function createUsageHandlers({ accounts, ledger, clock }: UsageTools) {
  return {
    async getOwnUsage(request: FastifyRequest): Promise<OwnUsage> {
      const { id: accountId } = accountOf(request)
      const asOf = clock.nowMs()
      const { key_id: keyId, ...asked } = request.query as UsageQuery
      const { fromDay, toDay } = readRange(asked, asOf)
      const usage = await ledger.usage(accountId, { fromDay, toDay, keyId }, MAX_KEYS)
      const keys = await accounts.keysById(
        accountId,
        usage.keys.map((one) => one.keyId),
      )
      return {
        from: fromDay,
        to: toDay,
        days: usage.days.map((one) => ({
          day: one.day,
          brand: one.brand,
          ...writeFigures(one),
          written_off_eur: formatEuros(one.writtenOff),
        })),
        keys: usage.keys.map((one) => ({
          key_id: one.keyId,
          name: keys.get(one.keyId)?.name ?? '',
          last_four: keys.get(one.keyId)?.last_four ?? '',
          ...writeFigures(one),
        })),
        totals: writeFigures(addUp(usage.days)),
        as_of: asOf,
      }
    },
  }
}

function readRange(
  { from, to }: UsageQuery,
  nowMs: number,
): { readonly fromDay: string; readonly toDay: string } {
  const toDay = to === undefined ? utcDay(nowMs) : readDay(to, 'to')
  const latestMs = Date.parse(toDay) - (DEFAULT_DAYS - 1) * DAY_MS
  const fromDay = from === undefined ? utcDay(latestMs) : readDay(from, 'from')
  const days = (Date.parse(toDay) - Date.parse(fromDay)) / DAY_MS + 1
  if (days < 1) throw new Fault('invalid_request', 'from: must not be after `to`')
  if (days > MAX_DAYS) {
    throw new Fault('invalid_request', `from: must be at most ${MAX_DAYS} days before the end`)
  }
  return { fromDay, toDay }
}

function addUp(days: readonly UsageFigures[]): UsageFigures {
  return days.reduce<UsageFigures>(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      promptTokens: sum.promptTokens + one.promptTokens,
      completionTokens: sum.completionTokens + one.completionTokens,
      charged: sum.charged + one.charged,
      writtenOff: sum.writtenOff + one.writtenOff,
    }),
    { requests: 0, promptTokens: 0, completionTokens: 0, charged: 0n, writtenOff: 0n },
  )
}

function writeFigures({ requests, promptTokens, completionTokens, charged }: UsageFigures) {
  return {
    requests,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cost_eur: formatEuros(charged),
  }
}
