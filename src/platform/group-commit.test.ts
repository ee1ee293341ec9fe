import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGroupCommit } from '#platform/group-commit.ts'

/** A commit whose batches are seen, and which waits to be let through where a test wants that. */
function createCommits(refuses: (item: number) => boolean = () => false) {
  const batches: number[][] = []
  let gate: Promise<unknown> = Promise.resolve()
  async function commit(items: number[]): Promise<string[]> {
    batches.push(items)
    await gate
    if (items.some(refuses)) throw new Error(`refused in ${items.join()}`)
    return items.map((item) => `done ${item}`)
  }
  return {
    batches,
    commit,
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

test('what arrives while a batch is under way is committed together, in its order', async () => {
  const commits = createCommits()
  const go = commits.hold()
  const group = createGroupCommit(commits.commit, { maxBatch: 10 })
  const results = [1, 2, 3, 4].map((item) => group.add(item))
  go()
  assert.deepEqual(await Promise.all(results), ['done 1', 'done 2', 'done 3', 'done 4'])
  assert.deepEqual(commits.batches, [[1], [2, 3, 4]])
})

test('a batch has at most as many items as it may', async () => {
  const commits = createCommits()
  const go = commits.hold()
  const group = createGroupCommit(commits.commit, { maxBatch: 3 })
  const items = Array.from({ length: 11 }, (_, index) => index)
  const results = Promise.all(items.map((item) => group.add(item)))
  go()
  assert.deepEqual(
    await results,
    items.map((item) => `done ${item}`),
  )
  assert.deepEqual(commits.batches, [[0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10]])
})

test('an item that cannot be committed does not take the others of its batch down', async () => {
  const commits = createCommits((item) => item === 3)
  const go = commits.hold()
  const group = createGroupCommit(commits.commit, { maxBatch: 10 })
  const results = [1, 2, 3, 4].map((item) => group.add(item))
  go()
  const settled = await Promise.allSettled(results)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.match(String((settled[2] as PromiseRejectedResult).reason), /refused in 3$/)
  assert.deepEqual(commits.batches, [[1], [2, 3, 4], [2], [3], [4]])
})

test('it is idle when all that was added has been committed or refused', async () => {
  const commits = createCommits((item) => item === 2)
  const group = createGroupCommit(commits.commit, { maxBatch: 10 })
  await group.idle()
  const ended: string[] = []
  for (const item of [1, 2, 3]) {
    void group.add(item).then(
      () => ended.push(`done ${item}`),
      () => ended.push(`refused ${item}`),
    )
  }
  await group.idle()
  assert.deepEqual(ended, ['done 1', 'refused 2', 'done 3'])
  assert.equal(await group.add(4), 'done 4')
})

test('whatever is added when, each item gets its own result, and good ones are committed once', async () => {
  const waves = fc.array(fc.array(fc.boolean(), { maxLength: 9 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(waves, fc.integer({ min: 1, max: 5 }), async (badness, maxBatch) => {
      const bad = new Set<number>()
      const committed: number[] = []
      const group = createGroupCommit(
        async (items: number[]) => {
          assert.ok(items.length > 0 && items.length <= maxBatch)
          await Promise.resolve()
          if (items.some((item) => bad.has(item))) throw new Error('bad')
          committed.push(...items)
          return items.map((item) => item * 2)
        },
        { maxBatch },
      )
      const results: Promise<number | string>[] = []
      for (const wave of badness) {
        for (const isBad of wave) {
          const item = results.length
          if (isBad) bad.add(item)
          results.push(group.add(item).catch(() => 'bad'))
        }
        await Promise.resolve()
      }
      const wanted = results.map((_, item) => (bad.has(item) ? 'bad' : item * 2))
      assert.deepEqual(await Promise.all(results), wanted)
      const good = results.map((_, item) => item).filter((item) => !bad.has(item))
      assert.deepEqual(committed, good)
    }),
    { numRuns: 500 },
  )
})

test('where more waits than a batch takes, each line has its turn', async () => {
  const commits = createCommits()
  const go = commits.hold()
  const group = createGroupCommit(commits.commit, {
    maxBatch: 3,
    lineOf: (item) => `${Math.floor(item / 10)}`,
  })
  const results = Promise.all([0, 1, 2, 3, 4, 10, 11, 20].map((item) => group.add(item)))
  go()
  await results
  assert.deepEqual(commits.batches, [[0], [1, 10, 20], [2, 11, 3], [4]])
})

test('an error that concerns all is told to all, without trying each', async () => {
  const commits = createCommits(() => true)
  const go = commits.hold()
  const group = createGroupCommit(commits.commit, { maxBatch: 10, concernsAll: () => true })
  const results = [1, 2, 3].map((item) => group.add(item))
  go()
  const settled = await Promise.allSettled(results)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(commits.batches, [[1], [2, 3]])
})
