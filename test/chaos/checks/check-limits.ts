import { utcDay } from '#platform/clock.ts'
import { priceOf, type Attempt } from '../traffic/attempt.ts'
import { HONEST_PROMPT_TOKENS, MOST_PROMPT_TOKENS } from '../traffic/topics.ts'
import type { AccountEvidence } from './evidence.ts'

const WINDOW_S = 60

/** No window lets more pass than its tier, and no day more than its ceiling and one request. */
export function checkLimits(evidence: AccountEvidence): string[] {
  const wrong = [...checkWindows(evidence), ...checkDays(evidence)]
  return wrong.map((what) => `${evidence.account.name}: ${what}`)
}

function checkWindows({ account, attempts }: AccountEvidence): string[] {
  const wrong: string[] = []
  for (const [window, inWindow] of Map.groupBy(attempts, nameWindow)) {
    if (window === undefined) continue
    const passed = inWindow.filter(
      ({ end }) => !(end.kind === 'refused' && end.code === 'rate_limit_rpm'),
    )
    if (passed.length > account.requestsPerMinute) {
      wrong.push(`${passed.length} requests passed in the window ${window}`)
    }
    const tokens = passed.reduce((total, attempt) => total + surelyTaken(attempt), 0)
    if (tokens > account.tokensPerMinute) {
      wrong.push(`${tokens} tokens passed in the window ${window}`)
    }
  }
  return wrong
}

/**
 * The window that a request was surely counted in. What its headers say was known when they were
 * written; that window had begun when the request was sent, so it was the one that it met.
 */
function nameWindow({ sentAt, endedAt, head }: Attempt): string | undefined {
  const endsS = head?.windowEndsS
  if (endsS === undefined || endsS - WINDOW_S > sentAt.nowS) return undefined
  if (!isSteady(sentAt.turnsBack, endedAt.turnsBack)) return undefined
  if (!isSteady(sentAt.lives, endedAt.lives)) return undefined
  return `until ${endsS} (turned back ${sentAt.turnsBack / 2} times, life ${sentAt.lives / 2})`
}

function isSteady(before: number, after: number): boolean {
  return before === after && before % 2 === 0
}

/** What a reply took of its window, less what an upstream may have lied on top. */
function surelyTaken({ end }: Attempt): number {
  if (end.kind !== 'whole') return 0
  const { prompt_tokens: prompt, completion_tokens: completion } = end.usage
  return Math.min(prompt, HONEST_PROMPT_TOKENS) + completion
}

/**
 * Of what arrived on one day, each was admitted while the day's charges and holds were below the
 * ceiling; so all of it together is at most the ceiling and the last one's hold.
 */
function checkDays({ account, attempts, receipts, mayOverspend }: AccountEvidence): string[] {
  const { ceilingNano } = account
  // Holds that were lost count towards no ceiling.
  if (ceilingNano === undefined || mayOverspend) return []
  const byId = new Map(receipts.map((receipt) => [receipt.request_id, receipt]))
  const days = new Map<string, bigint>()
  let mostHeld = 0n
  for (const { brand, maxTokens, sentAt, endedAt, head } of attempts) {
    const worst = { prompt_tokens: MOST_PROMPT_TOKENS, completion_tokens: maxTokens }
    const held = priceOf(brand, worst)
    if (held > mostHeld) mostHeld = held
    const receipt = byId.get(head?.requestId ?? '')
    if (!receipt || !isSteady(sentAt.turnsBack, endedAt.turnsBack)) continue
    const day = `${utcDay(receipt.created_at)} (turned back ${sentAt.turnsBack / 2} times)`
    const honest = {
      prompt_tokens: Math.min(receipt.prompt_tokens, HONEST_PROMPT_TOKENS),
      completion_tokens: receipt.completion_tokens,
    }
    days.set(day, (days.get(day) ?? 0n) + priceOf(brand, honest))
  }
  return Array.from(days)
    .filter(([, spent]) => spent >= ceilingNano + mostHeld)
    .map(([day, spent]) => `${spent} nano-euros spent on ${day}, over a ceiling of ${ceilingNano}`)
}
