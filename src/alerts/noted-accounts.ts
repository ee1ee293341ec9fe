/** The accounts whose money has moved since they were last looked at. */
export interface NotedAccounts {
  /** Called after each commit of charges, while replies wait for it: does nothing but add to a set. */
  add(accountIds: Iterable<string>): void
  /** All of them; none is noted any more. */
  take(): string[]
  readonly size: number
  /** How many did not fit since this was last asked. */
  takeDropped(): number
}

/** Some ten megabytes at most. One that does not fit is noted by its next charge. */
const MOST = 100_000

export function createNotedAccounts(most = MOST): NotedAccounts {
  let noted = new Set<string>()
  let dropped = 0
  return {
    add(accountIds) {
      for (const id of accountIds) {
        if (noted.size < most || noted.has(id)) noted.add(id)
        else dropped += 1
      }
    },
    take() {
      const taken = [...noted]
      noted = new Set()
      return taken
    },
    get size() {
      return noted.size
    },
    takeDropped() {
      const count = dropped
      dropped = 0
      return count
    },
  }
}
