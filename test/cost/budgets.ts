import type { Engine } from '#platform/store/index.ts'
import type { Work } from './probe.ts'

export type Reply = 'whole' | 'streamed'

/**
 * What one chat request costs, of a reply of 2 KB or 50 chunks: work that is the same on every machine.
 * Allocated is what the code asks for before a compiler has seen it, several times of what it is after.
 * Whoever makes it less writes down the new figure; whoever makes it more says in the commit why.
 */
export const BUDGETS: Readonly<Record<Engine, Readonly<Record<Reply, Work>>>> = {
  sqlite: {
    whole: {
      allocatedBytes: 124_500,
      writtenBytes: 36_500,
      reads: 4.1,
      writes: 21.5,
      statements: 7,
    },
    streamed: {
      allocatedBytes: 171_500,
      writtenBytes: 47_500,
      reads: 4.1,
      writes: 22.7,
      statements: 7,
    },
  },
  postgres: {
    whole: {
      allocatedBytes: 179_500,
      writtenBytes: 3_200,
      reads: 4.2,
      writes: 5.1,
      statements: 2.1,
    },
    streamed: {
      allocatedBytes: 225_500,
      writtenBytes: 13_450,
      reads: 4.2,
      writes: 6.1,
      statements: 2.1,
    },
  },
}

/** How much more or less than its budget a figure may be. */
export const TOLERANCE = 0.1
