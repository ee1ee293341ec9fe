/**
 * Changes of a `pattern` that somebody has looked at: whether one pattern takes all that another takes
 * is for people to say. Nothing else may stand here, for a version has no breaking changes. A release
 * empties the list.
 */
export const JUDGED: readonly Judgement[] = []

export interface Judgement {
  /** As the comparison tells it. */
  readonly line: string
  readonly reason: string
}
