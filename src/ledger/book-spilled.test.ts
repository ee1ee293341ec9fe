import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createLog } from '#platform/log.ts'
import { nano } from '#platform/money.ts'
import { StoreGone, type Engine, type Store } from '#platform/store/index.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { bookSpilled } from './book-spilled.ts'
import { createLedger } from './ledger.ts'
import { createSpillFile } from './spill-file.ts'

/** The books of one account with 1 000 on it, and a spill file beside them. */
async function openBooks(t: TestContext, engine: Engine) {
  const books = await openLedger(t, engine)
  await books.open('anna', 1_000)
  const path = join(books.directory, 'spill.jsonl')
  return { books, path, spill: createSpillFile(path) }
}

const a = makeCharge('anna', 'a', { cost: nano(100) })
const b = makeCharge('anna', 'b', { cost: nano(30) })
const stray = makeCharge('nobody', 'stray', { cost: nano(7) })

async function assertBalance(books: OpenLedger, balance: number): Promise<void> {
  assert.equal((await books.fundsOf('anna')).balance, balance)
  assert.deepEqual((await books.ledger.verify()).discrepancies, [])
}

async function receiptIds({ ledger }: OpenLedger): Promise<string[]> {
  const receipts = await ledger.receipts('anna', { before: undefined, limit: 100 })
  return receipts.map((receipt) => receipt.request_id).toSorted()
}

test('all that was spilled is booked, and the file is gone', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([a, b])
  await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a', 'b'])
  await assertBalance(books, 870)
  assert.equal(existsSync(path), false)
})

test('a start with nothing spilled books nothing', async (t, engine) => {
  const { books } = await openBooks(t, engine)
  await books.ledger.prepare()
  await books.ledger.prepare()
  await assertBalance(books, 1_000)
})

test('killed after the charge was spilled: the next start books it once', async (t, engine) => {
  const { books, spill } = await openBooks(t, engine)
  await spill.append([a])
  for (let start = 0; start < 3; start += 1) await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a'])
  await assertBalance(books, 900)
})

test('killed after some were booked and before the file was cleared: none is booked twice', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([a, b])
  await books.charge(a)
  await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a', 'b'])
  await assertBalance(books, 870)
  assert.equal(existsSync(path), false)
})

test('killed by a start between booking and clearing: the start after it clears and books none', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([a, b])
  const clear = async (): Promise<never> => {
    throw new Error('killed')
  }
  const commit = async ([charge = a]: readonly (typeof a)[]) => books.charge(charge)
  await assert.rejects(bookSpilled({ ...spill, clear }, commit, createLog('silent')), /killed/)
  await assertBalance(books, 870)
  await books.ledger.prepare()
  await assertBalance(books, 870)
  assert.equal(existsSync(path), false)
})

test('killed while it was being spilled: half a line is not owed, for its reply never ended', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([a])
  appendFileSync(path, JSON.stringify(b).slice(0, -1))
  await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a'])
  await assertBalance(books, 900)
})

test('a charge that cannot be booked stops no other, and stays in the file', async (t, engine) => {
  const { books, spill } = await openBooks(t, engine)
  await spill.append([a, stray, b])
  await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a', 'b'])
  assert.ok((await spill.read()).some(({ requestId }) => requestId === 'stray'))
  await books.open('nobody', 10)
  await books.ledger.prepare()
  assert.equal((await books.fundsOf('nobody')).balance, 3)
  await assertBalance(books, 870)
  assert.deepEqual(await spill.read(), [])
})

test('a line that is no charge at all stops no other, and stays in the file', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([a])
  appendFileSync(path, '{"requestId":"half a li\n')
  await spill.append([b])
  await books.ledger.prepare()
  assert.deepEqual(await receiptIds(books), ['a', 'b'])
  await assertBalance(books, 870)
  assert.match(readFileSync(path, 'utf8'), /^\{"requestId":"half a li$/m)
})

test('a store that is away at the start loses nothing: the start after it books', async (t, engine) => {
  const { books, spill } = await openBooks(t, engine)
  await spill.append([a, b])
  const gone = async (): Promise<never> => {
    throw new StoreGone('away')
  }
  await bookSpilled(spill, gone, createLog('silent')).catch(() => {})
  assert.equal((await spill.read()).length, 2)
  await books.ledger.prepare()
  await assertBalance(books, 870)
})

/** The ledger as the service starts it, on a store whose commits can be made to fail. */
function restart(t: TestContext, { store, clock }: OpenLedger, spillPath: string) {
  const state = { away: false }
  const log = createLog('silent')
  const flaky = makeFlaky(store, state)
  const ledger = createLedger({ store: flaky, clock, log, spillPath, patienceMs: 2 })
  t.after(() => ledger.close())
  return { state, ledger }
}

function makeFlaky(store: Store, state: { readonly away: boolean }): Store {
  const failIfAway = (): void => {
    if (state.away) throw new StoreGone('away')
  }
  switch (store.engine) {
    case 'sqlite':
      return {
        ...store,
        async run(procedure, input) {
          failIfAway()
          return store.run(procedure, input)
        },
      }
    case 'postgres':
      return {
        ...store,
        async call(statement, values) {
          failIfAway()
          return store.call(statement, values)
        },
      }
  }
}

test('what a start could not book stays in the file when a later absence is over', async (t, engine) => {
  const { books, path, spill } = await openBooks(t, engine)
  await spill.append([stray])
  const { state, ledger } = restart(t, books, path)
  await ledger.prepare()
  state.away = true
  const charging = await ledger.charge(a)
  assert.equal(charging.kind, 'spilled')
  state.away = false
  if (charging.kind === 'spilled') await charging.booked
  // The next append waits for the tidying that follows the booking.
  state.away = true
  assert.equal((await ledger.charge(b)).kind, 'spilled')
  const ids = (await spill.read()).map(({ requestId }) => requestId)
  assert.ok(ids.includes('stray') && ids.includes('b'), ids.join())
})
