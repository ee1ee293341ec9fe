import type { ApiAnswer } from './call-api.ts'
import type { Words } from './languages.ts'
import type { Problem } from './parts.ts'

type ProblemWord = Exclude<keyof Words['problems'], 'tooOftenFor'>

interface Known {
  readonly word: ProblemWord
  readonly field?: string
}

/** What the sign-in API's codes mean to a person. None tells whether an address has an account. */
const KNOWN: Readonly<Record<string, Known>> = {
  INVALID_EMAIL: { word: 'invalidEmail', field: 'email' },
  // Its schemas ask only for an address to be one; all else is checked before.
  VALIDATION_ERROR: { word: 'invalidEmail', field: 'email' },
  INVALID_EMAIL_OR_PASSWORD: { word: 'wrongPassword', field: 'password' },
  INVALID_PASSWORD: { word: 'wrongPassword', field: 'password' },
  PASSWORD_TOO_SHORT: { word: 'shortPassword', field: 'password' },
  PASSWORD_TOO_LONG: { word: 'longPassword', field: 'password' },
  PASSWORD_COMPROMISED: { word: 'commonPassword', field: 'password' },
  PASSWORD_TOO_COMMON: { word: 'commonPassword', field: 'password' },
  INVALID_NAME: { word: 'invalidText', field: 'name' },
  INVALID_TEXT: { word: 'invalidText' },
  MAIL_UNAVAILABLE: { word: 'mailUnavailable' },
  INVALID_CODE: { word: 'wrongCode', field: 'code' },
  OTP_HAS_EXPIRED: { word: 'wrongCode', field: 'code' },
  INVALID_BACKUP_CODE: { word: 'wrongRecoveryCode', field: 'code' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { word: 'tooManyCodes' },
  INVALID_TWO_FACTOR_COOKIE: { word: 'codeTooLate' },
  ACCOUNT_TEMPORARILY_LOCKED: { word: 'tooOften' },
}

/** Why a call was refused, as a sentence, at the field that it is about where the page has that. */
export function describeApiProblem(
  { status, code, retryAfterS }: ApiAnswer,
  { problems }: Words,
  fields: readonly string[],
): Problem {
  if (status === 429) {
    return {
      text: retryAfterS === undefined ? problems.tooOften : problems.tooOftenFor(retryAfterS),
    }
  }
  const known = code !== undefined && Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (!known) return { text: problems.failed }
  const text = problems[known.word]
  return known.field !== undefined && fields.includes(known.field)
    ? { text, field: known.field }
    : { text }
}
