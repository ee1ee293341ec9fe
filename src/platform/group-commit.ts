/**
 * Gathers what arrives while the last batch is under way, so that one commit serves all that come at
 * the same moment: under load the cost of a commit, or of a round trip, is shared.
 */
export interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves when all that was added has been committed or refused. */
  idle(): Promise<void>
}

export interface GroupCommitOptions<Item> {
  readonly maxBatch: number
  /** Where more waits than a batch takes, each of these lines has its turn; without it, first come first served. */
  readonly lineOf?: (item: Item) => string
  /** True for an error that has nothing to do with any one item: trying them one by one is of no use. */
  readonly concernsAll?: (error: unknown) => boolean
}

interface Pending<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<readonly Result[]>,
  { maxBatch, lineOf, concernsAll = () => false }: GroupCommitOptions<Item>,
): GroupCommit<Item, Result> {
  let queue: Pending<Item, Result>[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (queue.length > 0) {
      if (lineOf && queue.length > maxBatch) queue = takeTurns(queue, ({ item }) => lineOf(item))
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
      if (batch.length > 1 && !concernsAll(error)) {
        for (const pending of batch) await commitBatch([pending])
      } else for (const { reject } of batch) reject(error)
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

/** The first of each line, then the second of each, and so on. */
function takeTurns<Entry>(entries: readonly Entry[], lineOf: (entry: Entry) => string): Entry[] {
  const lines = new Map<string, Entry[]>()
  for (const entry of entries) {
    const line = lines.get(lineOf(entry))
    if (line) line.push(entry)
    else lines.set(lineOf(entry), [entry])
  }
  const turns: Entry[] = []
  for (let turn = 0; turns.length < entries.length; turn += 1) {
    for (const line of lines.values()) {
      const entry = line[turn]
      if (entry !== undefined) turns.push(entry)
    }
  }
  return turns
}
