import assert from 'node:assert/strict'
import { v7 } from 'uuid'
import { withTables } from '#platform/store/index.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import { searchReceipts, type ReceiptSearch } from './search-receipts.ts'
import type { LedgerTables } from './tables.ts'

const DAY_MS = 86_400_000
const NOTHING: ReceiptSearch = {
  brand: undefined,
  keyId: undefined,
  ended: undefined,
  fromDay: undefined,
  toDay: undefined,
  before: undefined,
  limit: 100,
}

function idOf(atMs: number): string {
  return `req_${v7({ msecs: atMs }).replaceAll('-', '')}`
}

/** Of two days; every third of another brand, every fourth of another key, every fifth not completed. */
async function openReceipts(books: OpenLedger) {
  await books.open('acc_1', 1_000_000)
  await books.open('acc_2', 1_000_000)
  const firstMs = Date.UTC(2026, 10, 20)
  const made = []
  for (let place = 0; place < 60; place += 1) {
    const day = place < 30 ? 0 : 1
    const requestId = idOf(firstMs + day * DAY_MS + (place % 30) * 2_879_000)
    const charge = makeCharge('acc_1', requestId, {
      brand: place % 3 === 0 ? 'nova' : 'air',
      keyId: place % 4 === 0 ? 'key_2' : 'key_1',
      ended: place % 5 === 0 ? 'client_left' : 'completed',
    })
    await books.charge(charge)
    await books.charge(makeCharge('acc_2', idOf(firstMs + day * DAY_MS)))
    made.push({ ...charge, day })
  }
  return made.toReversed()
}

test('filters are combined, and days are those of the arrival', async (t, engine) => {
  const books = await openLedger(t, engine)
  const made = await openReceipts(books)
  const find = async (search: Partial<ReceiptSearch>) => {
    const { receipts, next } = await books.ledger.searchReceipts('acc_1', { ...NOTHING, ...search })
    assert.equal(next, undefined)
    return receipts.map((receipt) => receipt.request_id)
  }
  const idsOf = (fits: (one: (typeof made)[number]) => boolean) =>
    made.filter(fits).map(({ requestId }) => requestId)
  assert.deepEqual(
    await find({}),
    idsOf(() => true),
  )
  assert.deepEqual(
    await find({ brand: 'nova' }),
    idsOf(({ brand }) => brand === 'nova'),
  )
  assert.deepEqual(
    await find({ brand: 'nova', keyId: 'key_2', ended: 'client_left' }),
    idsOf((one) => one.brand === 'nova' && one.keyId === 'key_2' && one.ended === 'client_left'),
  )
  const first = idsOf(({ day }) => day === 0)
  assert.deepEqual(await find({ fromDay: '2026-11-20', toDay: '2026-11-20' }), first)
  assert.deepEqual(await find({ toDay: '2026-11-20' }), first)
  assert.deepEqual(
    await find({ fromDay: '2026-11-21', ended: 'client_left' }),
    idsOf(({ day, ended }) => day === 1 && ended === 'client_left'),
  )
  assert.deepEqual(await find({ fromDay: '1969-01-01', toDay: '1969-12-31' }), [])
})

test('a page looks at so many receipts and no more, and the pages together have them all', async (t, engine) => {
  const books = await openLedger(t, engine)
  const made = await openReceipts(books)
  const reads = withTables<LedgerTables>(books.store.reads)
  for (const [limit, maxScanned] of [
    [100, 7],
    [3, 7],
    [2, 60],
    [100, 60],
    [100, 1],
  ] as const) {
    const found: string[] = []
    let before: string | undefined
    let pages = 0
    do {
      const search = { ...NOTHING, ended: 'client_left', before, limit } as const
      const { receipts, next } = await searchReceipts(reads, 'acc_1', search, maxScanned)
      assert.ok(receipts.length <= Math.min(limit, maxScanned))
      found.push(...receipts.map((receipt) => receipt.request_id))
      before = next
      pages += 1
    } while (before !== undefined)
    const wanted = made.filter(({ ended }) => ended === 'client_left')
    assert.deepEqual(
      found,
      wanted.map(({ requestId }) => requestId),
    )
    assert.ok(pages >= Math.floor(60 / maxScanned), `${pages} pages of ${maxScanned}`)
  }
})

test('one receipt is found by its id, at its own account alone', async (t, engine) => {
  const books = await openLedger(t, engine)
  const [made] = await openReceipts(books)
  const requestId = made?.requestId ?? ''
  assert.equal((await books.ledger.findReceipt('acc_1', requestId))?.request_id, requestId)
  assert.equal(await books.ledger.findReceipt('acc_2', requestId), undefined)
  assert.equal(await books.ledger.findReceipt('acc_1', `${requestId}0`), undefined)
})
