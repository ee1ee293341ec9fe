import { untilMidnightMs, utcDay } from '#platform/clock.ts'
import { formatEuros } from '#platform/money.ts'
import type { Account } from '#accounts/index.ts'
import { nextTierOf, type Gate, type Look } from '#gate/index.ts'
import type { Ledger, ReceiptTable } from '#ledger/index.ts'
import type { Account as WireAccount, OwnAccount, OwnStanding } from '../contract/index.ts'
import { writeAccount } from '../operator/account-handlers.ts'

export interface StandingTools {
  readonly gate: Gate
  readonly ledger: Ledger
}

/** Whether an account can call now: its figures are those by which the gate would decide. */
export async function readOwnStanding(
  { gate, ledger }: StandingTools,
  account: Account,
): Promise<OwnStanding> {
  const [look, [latest]] = await Promise.all([
    gate.look(account.id),
    ledger.receipts(account.id, { before: undefined, limit: 1 }),
  ])
  const { standing, allowance, held, ceilingLeft, blocker, atMs } = look
  const { suspended, ceiling, funds } = standing
  const { tier, requestsLeft, tokensLeft, resetMs } = allowance
  const today = utcDay(atMs)
  return {
    account: writeOwnAccount(writeAccount({ ...account, suspended, ceiling }, funds, held, today)),
    windows: {
      requests: { limit: tier.requestsPerMinute, left: requestsLeft },
      tokens: { limit: tier.tokensPerMinute, left: tokensLeft },
      resets_at: resetMs,
    },
    ceiling: {
      eur: ceiling === null ? null : formatEuros(ceiling),
      left_eur: ceilingLeft === null ? null : formatEuros(ceilingLeft),
      resets_at: atMs + untilMidnightMs(atMs),
    },
    next_tier: writeNextTier(standing),
    blocker,
    last_request: latest ? writeLastRequest(latest) : null,
    as_of: atMs,
  }
}

/** What its owner sees of it, and nothing else. */
export function writeOwnAccount(account: WireAccount): OwnAccount {
  return {
    id: account.id,
    tier: account.tier,
    balance_eur: account.balance_eur,
    held_eur: account.held_eur,
    deposits_eur: account.deposits_eur,
    spent_today_eur: account.spent_today_eur,
    daily_ceiling_eur: account.daily_ceiling_eur,
    suspended: account.suspended,
    created_at: account.created_at,
  }
}

function writeNextTier({ funds, minTier }: Look['standing']): OwnStanding['next_tier'] {
  const next = nextTierOf(funds, minTier)
  if (!next) return null
  return {
    tier: next.tier.number === 2 ? 2 : 3,
    requests_per_minute: next.tier.requestsPerMinute,
    tokens_per_minute: next.tier.tokensPerMinute,
    from_eur: formatEuros(next.from),
    have_eur: formatEuros(next.have),
  }
}

function writeLastRequest(receipt: ReceiptTable): OwnStanding['last_request'] {
  return {
    request_id: receipt.request_id,
    brand: receipt.brand,
    created_at: receipt.created_at,
    cost_eur: formatEuros(receipt.charged_nano),
  }
}
