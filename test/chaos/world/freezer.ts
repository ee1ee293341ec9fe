import type { Replicas } from './replicas.ts'

/** Freezes replicas, and knows for how long each was frozen. */
export interface Freezer {
  freeze(index: number): void
  thaw(index: number): void
  hasFrozen(): boolean
  /** How many freezes were, or are, so long that the others may have taken the replica for dead. */
  longFreezes(): number
}

export function createFreezer(replicas: Replicas, longMs: number): Freezer {
  const since = new Map<number, number>()
  let over = 0
  const isLong = (startedMs: number): boolean => performance.now() - startedMs >= longMs
  return {
    freeze(index) {
      since.set(index, performance.now())
      replicas.get(index)?.freeze()
    },
    thaw(index) {
      replicas.get(index)?.thaw()
      const startedMs = since.get(index)
      since.delete(index)
      if (startedMs !== undefined && isLong(startedMs)) over += 1
    },
    hasFrozen: () => since.size > 0,
    longFreezes: () => over + [...since.values()].filter(isLong).length,
  }
}
