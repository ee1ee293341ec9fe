/**
 * Gathers what arrives while the last batch is under way, so that one commit to disk serves all
 * replies that end at the same moment: under load the cost of durability is shared.
 */
export interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves when all that was added has been committed or refused. */
  idle(): Promise<void>
}

interface Pending<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<readonly Result[]>,
  maxBatch: number,
): GroupCommit<Item, Result> {
  let queue: Pending<Item, Result>[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await commitBatch(batch)
    }
    running = undefined
  }

  async function commitBatch(batch: Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(batch.map((pending) => pending.item))
      for (const [index, pending] of batch.entries()) pending.resolve(results[index] as Result)
    } catch (error) {
      // One item that cannot be committed must not take the others down with it.
      if (batch.length > 1) for (const pending of batch) await commitBatch([pending])
      else batch[0]?.reject(error)
    }
  }

  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.push({ item, resolve, reject })
      running ??= run()
      return promise
    },
    idle: async () => running,
  }
}
