import type { Words } from './languages.ts'
import type { Problem } from './parts.ts'
import { canBeKept, isPlainText, type Form } from './read-form.ts'

type ProblemWord = Exclude<keyof Words['problems'], 'tooOftenFor'>

/** A rule of one field: what is wrong with a text, or undefined for nothing. */
type Rule = (text: string) => ProblemWord | undefined

/** As our records of people and the sign-in API have them. */
const MAX_NAME_LENGTH = 100
const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200
/** RFC 5321, 4.5.3.1.3. */
const MAX_EMAIL_LENGTH = 254

export const RULES = {
  name(text) {
    if (text.trim() === '') return 'missingName'
    if (!isPlainText(text)) return 'invalidText'
    return text.length > MAX_NAME_LENGTH ? 'longName' : undefined
  },
  email(text) {
    if (text.trim() === '') return 'missingEmail'
    if (!isPlainText(text)) return 'invalidText'
    const isAddress = /^[^@\s]+@[^@\s]+$/.test(text.trim()) && text.length <= MAX_EMAIL_LENGTH
    return isAddress ? undefined : 'invalidEmail'
  },
  /** Which is told only whether it is right. */
  password(text) {
    if (text === '') return 'missingPassword'
    return canBeKept(text) ? undefined : 'invalidText'
  },
  newPassword(text) {
    if (text === '') return 'missingNewPassword'
    if (!canBeKept(text)) return 'invalidText'
    if (text.length < MIN_PASSWORD_LENGTH) return 'shortPassword'
    return text.length > MAX_PASSWORD_LENGTH ? 'longPassword' : undefined
  },
  code(text) {
    if (text.trim() === '') return 'missingCode'
    return isPlainText(text) && text.length <= 100 ? undefined : 'invalidText'
  },
} satisfies Readonly<Record<string, Rule>>

/** What is wrong with a form, in the order of its fields. */
export function checkFields(
  form: Form,
  rules: Readonly<Record<string, Rule>>,
  { problems }: Words,
): Problem[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    const word = rule(form.text(field))
    return word === undefined ? [] : [{ field, text: problems[word] }]
  })
}
