import { Problem } from '../../api/client.ts'
import type { Translation, Words } from '../../words/define-words.ts'
import type { playgroundWords } from './words.ts'

export type PlaygroundWords =
  typeof playgroundWords extends Words<infer Dictionary> ? Translation<Dictionary> : never

/** Where there is something to be done about a problem. */
export type WayOut = 'balance' | 'limits' | undefined

export interface SaidProblem {
  readonly problem: Error
  readonly code: string | undefined
  readonly wayOut: WayOut
}

/** What was refused, in words; what is wrong with the request itself the service says best. */
export function sayProblem(problem: Error, words: PlaygroundWords): SaidProblem {
  if (!(problem instanceof Problem)) return { problem, code: undefined, wayOut: undefined }
  const text = findText(problem, words)
  const { code, status, requestId, retryAfterS } = problem
  const told = { status, requestId, retryAfterS }
  return {
    problem: text === undefined ? problem : new Problem(code, text, told),
    code,
    wayOut: WAYS_OUT[code],
  }
}

const WAYS_OUT: Readonly<Record<string, WayOut>> = {
  insufficient_balance: 'balance',
  daily_spend_limit_reached: 'limits',
  rate_limit_rpm: 'limits',
  rate_limit_tpm: 'limits',
}

function findText(
  { code, retryAfterS }: Problem,
  { problems }: PlaygroundWords,
): string | undefined {
  const seconds = String(retryAfterS ?? 60)
  switch (code) {
    case 'rate_limit_rpm':
      return problems.rate_limit_rpm(seconds)
    case 'rate_limit_tpm':
      return problems.rate_limit_tpm(seconds)
    case 'insufficient_balance':
    case 'daily_spend_limit_reached':
    case 'upstream_error':
    case 'model_unavailable':
      return problems[code]
    case 'invalid_api_key':
      return problems.suspended
    case 'stream_broken':
      return problems.broken
    default:
      return undefined
  }
}
