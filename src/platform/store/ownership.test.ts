import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startChild } from '../../../test/support/child.ts'
import { makeTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { openSqliteStore, StoreInUse } from './index.ts'
import { ownDirectory } from './own-directory.ts'

const CHILD = 'test/support/store-child.ts'

test('a second process is refused, told what to set, and welcome when the first was killed', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const first = startChild(CHILD, [directory])
  t.after(() => first.kill())
  await first.said(/open/)
  await assert.rejects(openSqliteStore(directory), (error) => {
    assert.ok(error instanceof StoreInUse)
    assert.match(error.message, /Another process is using the data in .*PARLEY_DATA_DIR/)
    return true
  })
  await first.kill()
  const store = await openSqliteStore(directory)
  const second = startChild(CHILD, [directory])
  assert.equal(await second.ended, 1)
  assert.match(second.stderr, /PARLEY_DATA_DIR/)
  await store.close()
})

test('the same process cannot open a store twice either', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const store = await openSqliteStore(directory)
  t.after(() => store.close())
  await assert.rejects(openSqliteStore(directory), StoreInUse)
})

test('a directory stays owned when nobody refers to what gives it back', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const own = (): void => void ownDirectory(directory)
  own()
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    await wait(20)
  }
  assert.throws(own, StoreInUse)
})

test('every charge that was acknowledged is in the database when the process is killed', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const acknowledged: string[] = []
  for (const atLeast of [1, 40, 150]) {
    const child = startChild(CHILD, [directory, 'charge'])
    t.after(() => child.kill())
    await child.said(new RegExp(`(req_.*\\n){${atLeast}}`))
    await child.kill()
    // What was cut off by the kill was not told to anyone.
    acknowledged.push(...(child.stdout.match(/^req_.*(?=\n)/gm) ?? []))
  }
  const database = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true })
  t.after(() => database.close())
  const receipts = new Set(
    database
      .prepare('select request_id from receipt')
      .all()
      .map((row) => row['request_id']),
  )
  assert.ok(acknowledged.length >= 191)
  assert.deepEqual(
    acknowledged.filter((id) => !receipts.has(id)),
    [],
  )
  const { sum } = database
    .prepare(
      "select count(*) - (select count(*) from transfer where kind = 'charge') as sum from receipt",
    )
    .get() as { sum: number }
  assert.equal(sum, 0)
})
