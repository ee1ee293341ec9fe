import type { AccountEvidence, Evidence } from './evidence.ts'

/** All that a good request may be answered with, whatever happens around the service. */
const FORESEEN = new Map([
  [402, ['insufficient_balance']],
  [429, ['rate_limit_rpm', 'rate_limit_tpm', 'daily_spend_limit_reached']],
  [502, ['upstream_error']],
  [503, ['model_unavailable']],
])

/** A storm is no excuse for a 500, nor for telling a good key that it is none. */
export function checkAnswers({ account, attempts }: AccountEvidence): string[] {
  const wrong: string[] = []
  for (const { head, end } of attempts) {
    if (!head || end.kind !== 'refused') continue
    if (FORESEEN.get(head.status)?.includes(end.code) === true) continue
    wrong.push(`${account.name}: ${head.requestId} was answered ${head.status} ${end.code}`)
  }
  return wrong
}

/** A service that serves nobody is easily exact. */
export function checkService({ accounts }: Evidence): string[] {
  const isServed = accounts.some(({ attempts }) => attempts.some(({ end }) => end.kind === 'whole'))
  return isServed ? [] : ['no reply ended: nothing is proved']
}
