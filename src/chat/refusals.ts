import { Fault } from '#platform/fault.ts'
import { formatEuros, subtractNano } from '#platform/money.ts'
import type { Allowance, Refusal } from '#gate/index.ts'

/** Says which limit was met and the way out of it. */
export function describeRefusal(refusal: Refusal, { tier }: Allowance): Fault {
  switch (refusal.limit) {
    case 'requests':
      return new Fault(
        'rate_limit_rpm',
        `Tier ${tier.number} allows ${tier.requestsPerMinute} requests a minute; ` +
          `the next is possible in ${refusal.retryAfterS} s.`,
        { retryAfterS: refusal.retryAfterS },
      )
    case 'ceiling':
      return new Fault(
        'daily_spend_limit_reached',
        `The daily ceiling of ${formatEuros(refusal.ceiling)} € set on this account is reached. ` +
          'It resets at midnight UTC; raise it in the console to go on sooner.',
        { retryAfterS: refusal.retryAfterS },
      )
    case 'key_ceiling':
      return describeKeyCeiling(refusal)
    case 'balance':
      return describeBalance(refusal)
    case 'tokens':
      return describeTokens(refusal, tier)
  }
}

function describeKeyCeiling(refusal: Refusal & { limit: 'key_ceiling' }): Fault {
  const { ceiling, spent, held, cost, retryAfterS } = refusal
  const most = formatEuros(ceiling)
  const sentence =
    cost > ceiling
      ? `This request can cost up to ${formatEuros(cost)} €, more than this API key may spend in a ` +
        `whole day (its daily ceiling is ${most} €): waiting will not help. `
      : `This API key's daily ceiling of ${most} € does not allow for this request, which can cost ` +
        `up to ${formatEuros(cost)} €: ${formatEuros(spent)} € is spent and ${formatEuros(held)} € ` +
        'held by its requests under way. It resets at midnight UTC. '
  return new Fault(
    'daily_spend_limit_reached',
    `${sentence}Lower max_tokens, or raise the key's ceiling in the console.`,
    { retryAfterS },
  )
}

function describeBalance({ balance, held, cost }: Refusal & { limit: 'balance' }): Fault {
  const free = formatEuros(subtractNano(balance, held))
  const heldPart = held > 0 ? ` (${formatEuros(held)} € more is held by requests under way)` : ''
  return new Fault(
    'insufficient_balance',
    `This request can cost up to ${formatEuros(cost)} € and ${free} € is free${heldPart}. ` +
      'Top up, or lower max_tokens.',
  )
}

function describeTokens(
  { wanted, neverFits, retryAfterS }: Refusal & { limit: 'tokens' },
  tier: Allowance['tier'],
): Fault {
  const sentence = neverFits
    ? `This request reserves ${wanted} tokens (its input and max_tokens), more than tier ` +
      `${tier.number} has in a whole minute (${tier.tokensPerMinute}): waiting will not help. ` +
      'Lower max_tokens, shorten the input, or reach a higher tier.'
    : `This request reserves ${wanted} tokens (its input and max_tokens), more than is left of ` +
      `tier ${tier.number}'s ${tier.tokensPerMinute} tokens a minute; more in ${retryAfterS} s.`
  return new Fault('rate_limit_tpm', sentence, { retryAfterS })
}
