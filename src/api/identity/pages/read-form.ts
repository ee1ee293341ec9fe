/** A form as it was sent: each field once, by its name. */
export interface Form {
  /** An empty text where there is no such field. */
  text(name: string): string
}

export function readForm(body: string): Form {
  const fields = new URLSearchParams(body)
  return { text: (name) => fields.get(name) ?? '' }
}

/** True for a text that can be kept: no NUL, which PostgreSQL has no place for, no half of a pair. */
export function canBeKept(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** True for a text that can be kept, and shown in a line. */
export function isPlainText(text: string): boolean {
  return canBeKept(text) && !/\p{Cc}/u.test(text)
}
