import { addNano, maxNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import { describeAllowance, spentToday, type AccountState } from './account-state.ts'
import type { Allowance, Look } from './gate.ts'

type Seen = Pick<AccountState, 'standing' | 'windowStartMs' | 'requests' | 'tokens' | 'held'>

/** How an account stands, and the limit that its next request would meet whatever it asks for. */
export function describeLook(seen: Seen, nowMs: number): Look {
  const { standing, held } = seen
  const allowance = describeAllowance(seen, nowMs)
  const spent = spentToday(standing.funds, nowMs)
  const ceilingLeft =
    standing.ceiling === null
      ? null
      : maxNano(ZERO, subtractNano(standing.ceiling, addNano(spent, held)))
  const blocker = findBlocker(seen, allowance, ceilingLeft)
  return { standing, allowance, held, spentToday: spent, ceilingLeft, blocker, atMs: nowMs }
}

/** In the order in which a request is checked. */
function findBlocker(
  { standing, held }: Seen,
  { requestsLeft, tokensLeft }: Allowance,
  ceilingLeft: NanoEuro | null,
): Look['blocker'] {
  if (standing.suspended) return 'suspended'
  if (requestsLeft === 0) return 'requests'
  if (ceilingLeft === 0) return 'ceiling'
  if (subtractNano(standing.funds.balance, held) <= 0) return 'balance'
  return tokensLeft === 0 ? 'tokens' : null
}
