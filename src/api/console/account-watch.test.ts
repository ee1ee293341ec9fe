import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Funds } from '#platform/funds.ts'
import { createLog } from '#platform/log.ts'
import { ZERO } from '#platform/money.ts'
import { createAccountWatch } from './account-watch.ts'

const EVERY_MS = 5

/** A watch over accounts whose marks and versions the test sets, and which counts what it is asked. */
function openWatch(t: TestContext) {
  const versions = new Map<string, number>()
  const failing = new Set<string>()
  const asked = { marks: [] as (readonly string[])[], described: [] as string[] }
  let isAway = false
  const watch = createAccountWatch({
    log: createLog('silent'),
    everyMs: EVERY_MS,
    accounts: {
      async marks(ids) {
        asked.marks.push(ids)
        if (isAway) throw new Error('the store is away')
        return new Map(ids.map((id) => [id, 'limits']))
      },
    },
    ledger: {
      funds: async (ids) => new Map(ids.map((id) => [id, fundsOf(versions.get(id) ?? 0)])),
    },
    async describe(accountId) {
      asked.described.push(accountId)
      if (failing.has(accountId)) throw new Error('cannot be described')
      return `${accountId} ${versions.get(accountId)}`
    },
  })
  t.after(() => watch.close())
  return {
    watch,
    asked,
    failing,
    change: (id: string) => void versions.set(id, (versions.get(id) ?? 0) + 1),
    goAway: (away: boolean) => {
      isAway = away
    },
  }
}

function fundsOf(version: number): Funds {
  return { balance: ZERO, deposits: ZERO, spentDay: '', spent: ZERO, version }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(EVERY_MS)
}

test('a change is described once and told to all who look on, others hear nothing', async (t) => {
  const { watch, change, asked } = openWatch(t)
  const told: string[] = []
  for (const name of ['a', 'b']) {
    await watch.begin('acc_1', (text) => void told.push(`${name} ${text}`))
  }
  await watch.begin('acc_2', (text) => void told.push(`c ${text}`))
  change('acc_1')
  await until(() => told.length === 2)
  assert.deepEqual([told, asked.described], [['a acc_1 1', 'b acc_1 1'], ['acc_1']])
  // One question for all of them.
  assert.deepEqual(asked.marks.at(-1), ['acc_1', 'acc_2'])
})

test('the store is asked only while somebody looks on', async (t) => {
  const { watch, asked } = openWatch(t)
  const end = await watch.begin('acc_1', () => {})
  await until(() => asked.marks.length > 3)
  end()
  await delay(3 * EVERY_MS)
  const count = asked.marks.length
  await delay(10 * EVERY_MS)
  assert.equal(asked.marks.length, count)
  await watch.begin('acc_1', () => {})
  await until(() => asked.marks.length > count + 2)
  watch.close()
  await delay(3 * EVERY_MS)
  const last = asked.marks.length
  await delay(10 * EVERY_MS)
  assert.equal(asked.marks.length, last)
})

test('what changes while the store is away, or cannot be described, is told later', async (t) => {
  const { watch, change, goAway, failing } = openWatch(t)
  const told: string[] = []
  for (const id of ['acc_1', 'acc_2']) await watch.begin(id, (text) => void told.push(text))
  goAway(true)
  change('acc_2')
  await delay(5 * EVERY_MS)
  assert.deepEqual(told, [])
  goAway(false)
  await until(() => told.length === 1)
  failing.add('acc_1')
  change('acc_1')
  change('acc_2')
  await until(() => told.length === 2)
  failing.delete('acc_1')
  await until(() => told.length === 3)
  assert.deepEqual(told, ['acc_2 1', 'acc_2 2', 'acc_1 1'])
})

test('who cannot begin is told so, and watches nothing', async (t) => {
  const { watch, goAway, asked } = openWatch(t)
  goAway(true)
  await assert.rejects(
    watch.begin('acc_1', () => {}),
    /away/,
  )
  const count = asked.marks.length
  await delay(5 * EVERY_MS)
  assert.equal(asked.marks.length, count)
  goAway(false)
  await watch.begin('acc_1', () => {})
})
