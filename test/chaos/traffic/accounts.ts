import type { Operator } from '../world/operator.ts'

/** An account that one round spends from, and what its owner may do. */
export interface RoundAccount {
  readonly name: string
  readonly accountId: string
  readonly key: string
  readonly lanes: number
  /** What its owner's requests ask for, one or another. */
  readonly maxTokens: readonly number[]
  readonly creditedNano: bigint
  readonly ceilingNano: bigint | undefined
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
}

interface Profile {
  readonly name: string
  /** How many of its owner's requests are under way at once. */
  readonly lanes: number
  readonly maxTokens?: readonly number[]
  /** Paid in; raises the tier. */
  readonly deposit?: string
  /** Instead of the free credit of a person's first account. */
  readonly grant?: string
  readonly minTier?: 1 | 2 | 3
  readonly ceiling?: string
}

const TIERS = {
  1: { requestsPerMinute: 10, tokensPerMinute: 10_000 },
  2: { requestsPerMinute: 100, tokensPerMinute: 200_000 },
  3: { requestsPerMinute: 500, tokensPerMinute: 1_000_000 },
} as const

/** Long replies, short ones, and some that an upstream is asked for in one piece. */
const MAX_TOKENS = [4, 20, 20, 200, 200, 3_000]

/** Between them they meet every limit: requests, tokens, ceiling and balance. */
const PROFILES: readonly Profile[] = [
  { name: 'rich', lanes: 8, deposit: '1000.00' },
  { name: 'middling', lanes: 4, deposit: '50.00' },
  { name: 'capped', lanes: 6, maxTokens: [100, 200], deposit: '200.00', ceiling: '0.03' },
  { name: 'new', lanes: 3, maxTokens: [2_000, 3_000] },
  { name: 'poor', lanes: 6, maxTokens: [100, 200], grant: '0.02', minTier: 3 },
  { name: 'nearly-broke', lanes: 2, grant: '0.000004', minTier: 2 },
  { name: 'patient', lanes: 0, deposit: '5000.00' },
]

const FREE_CREDIT_NANO = 1_000_000_000n

export async function openAccounts(operator: Operator, round: string): Promise<RoundAccount[]> {
  const accounts: RoundAccount[] = []
  for (const profile of PROFILES) accounts.push(await openAccount(operator, round, profile))
  return accounts
}

async function openAccount(
  operator: Operator,
  round: string,
  profile: Profile,
): Promise<RoundAccount> {
  const { name, lanes, maxTokens = MAX_TOKENS, deposit, grant, minTier, ceiling } = profile
  const email = `${name}-${round}@example.com`
  const create = () => operator.call<{ id: string }>('POST', '/accounts', { email })
  let { id } = await create()
  let creditedNano = FREE_CREDIT_NANO
  if (grant !== undefined) {
    // A person's second account is given nothing, so it can be as poor as we like.
    ;({ id } = await create())
    creditedNano = 0n
  }
  for (const [kind, amount] of Object.entries({ deposit, grant })) {
    if (amount === undefined) continue
    const reference = `${kind} of ${email}`
    await operator.call('POST', `/accounts/${id}/credits`, { kind, amount_eur: amount, reference })
    creditedNano += readEuros(amount)
  }
  const change = {
    ...(minTier !== undefined && { min_tier: minTier }),
    ...(ceiling !== undefined && { daily_ceiling_eur: ceiling }),
  }
  if (Object.keys(change).length > 0) await operator.call('PATCH', `/accounts/${id}`, change)
  const { tier } = await operator.call<{ tier: 1 | 2 | 3 }>('GET', `/accounts/${id}`)
  const { key } = await operator.call<{ key: string }>('POST', `/accounts/${id}/keys`, { name })
  const ceilingNano = ceiling === undefined ? undefined : readEuros(ceiling)
  return { name, accountId: id, key, lanes, maxTokens, creditedNano, ceilingNano, ...TIERS[tier] }
}

/** Exactly, and with a reader of its own: the service's may be wrong. */
export function readEuros(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) throw new Error(`not an amount of euros: ${text}`)
  const [, sign = '', whole = '', decimals = ''] = match
  const nano = BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'))
  return sign === '-' ? -nano : nano
}
