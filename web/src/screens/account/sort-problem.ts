import { Problem } from '../../api/client.ts'
import type { Translation, Words } from '../../words/define-words.ts'
import type { problemWords } from './problem-words.ts'

export type ProblemWords =
  typeof problemWords extends Words<infer Dictionary> ? Translation<Dictionary> : never

export type ProblemField = 'password' | 'newPassword' | 'email' | 'name' | 'code'

/** Where a problem is told: beside the field that it is about, else as a note. */
export interface SortedProblem {
  readonly fields: Readonly<Partial<Record<ProblemField, string>>>
  readonly note: Error | undefined
  /** The session is too old for what cannot be undone. */
  readonly mustSignIn: boolean
}

const NONE: SortedProblem = { fields: {}, note: undefined, mustSignIn: false }

const KNOWN: Readonly<Record<string, readonly [keyof ProblemWords, ProblemField?]>> = {
  INVALID_PASSWORD: ['wrongPassword', 'password'],
  wrong_password: ['wrongPassword', 'password'],
  PASSWORD_TOO_SHORT: ['shortPassword', 'newPassword'],
  PASSWORD_TOO_LONG: ['longPassword', 'password'],
  PASSWORD_COMPROMISED: ['commonPassword', 'newPassword'],
  PASSWORD_TOO_COMMON: ['commonPassword', 'newPassword'],
  INVALID_EMAIL: ['invalidEmail', 'email'],
  VALIDATION_ERROR: ['invalidEmail', 'email'],
  INVALID_NAME: ['invalidName', 'name'],
  INVALID_TEXT: ['invalidText'],
  INVALID_CODE: ['wrongCode', 'code'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: ['noPassword'],
  MAIL_UNAVAILABLE: ['mailUnavailable'],
  PREVIOUSLY_REGISTERED: ['passkeyKnown'],
  FAILED_TO_VERIFY_REGISTRATION: ['passkeyFailed'],
  PASSKEY_NOT_FOUND: ['passkeyGone'],
}

export function sortProblem(error: Error | null, words: ProblemWords): SortedProblem {
  if (!error) return NONE
  // Browsers tell what their person or their device did by these names (WebAuthn, 5.1.3).
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return tell(error, words.passkeyCancelled)
    case 'InvalidStateError':
      return tell(error, words.passkeyKnown)
    case 'SecurityError':
    case 'NotSupportedError':
      return tell(error, words.passkeyFailed)
    default:
  }
  if (!(error instanceof Problem)) return { ...NONE, note: error }
  const { code } = error
  if (code === 'sign_in_again' || code === 'SESSION_NOT_FRESH') return { ...NONE, mustSignIn: true }
  const [word, field] = (Object.hasOwn(KNOWN, code) && KNOWN[code]) || []
  if (word === undefined) return { ...NONE, note: error }
  return field === undefined
    ? tell(error, words[word])
    : { ...NONE, fields: { [field]: words[word] } }
}

/** The same problem in words of ours, with the id of its request where it has one. */
function tell(error: Error, text: string): SortedProblem {
  const { code, status, requestId } =
    error instanceof Problem ? error : { code: error.name, status: undefined, requestId: undefined }
  return { ...NONE, note: new Problem(code, text, { ...(status && { status }), requestId }) }
}
