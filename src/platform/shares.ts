/**
 * Something that there is only so much of, shared by many: a total, and the most of it that one owner
 * may have, so that none of them can keep the others out.
 */
export interface Shares {
  /** Takes so much for an owner, or says why it is not to be had; then nothing is taken. */
  take(owner: string, amount: number): 'taken' | 'owner_has_its_share' | 'all_is_taken'
  give(owner: string, amount: number): void
}

export interface SharesOptions {
  readonly total: number
  readonly each: number
}

export function createShares({ total, each }: SharesOptions): Shares {
  /** Those who have nothing are not in it, so it is never larger than what is taken. */
  const owned = new Map<string, number>()
  let taken = 0

  return {
    take(owner, amount) {
      const has = owned.get(owner) ?? 0
      if (has + amount > each) return 'owner_has_its_share'
      if (taken + amount > total) return 'all_is_taken'
      owned.set(owner, has + amount)
      taken += amount
      return 'taken'
    },
    give(owner, amount) {
      const left = (owned.get(owner) ?? 0) - amount
      if (left < 0) throw new Error('more was given back than taken')
      if (left === 0) owned.delete(owner)
      else owned.set(owner, left)
      taken -= amount
    },
  }
}
