import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { LedgerTables } from '#ledger/index.ts'
import { verifyBooks } from '#ledger/verify.ts'
import { migrate, withTables } from '#platform/store/index.ts'
import { openPostgresStore } from '#platform/store/postgres-store.ts'
import { describeScans } from '../../bench/growth/counters.ts'
import { fill, type Size } from '../../bench/growth/fill.ts'
import { countReads, explainCalls, type Database } from '../../bench/growth/prove.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { startPostgres, type Postgres } from '../support/postgres/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** Of fewer accounts a table of them is rather read whole. 10⁷ receipts: `npm run bench -- growth`. */
const SIZE: Size = { accounts: 20_000, receipts: 20_000 }

/** A request reads its key, account, balance and window a few times each, whatever else there is. */
const MOST_ROWS = 30

async function makeDatabase(postgres: Postgres, directory: string): Promise<Database> {
  const url = await postgres.createDatabase()
  const store = await openPostgresStore(url, directory)
  await migrate(store, MIGRATIONS)
  await store.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fill(client, SIZE, Date.now())
  await client.end()
  return { url, accounts: SIZE.accounts, directory }
}

test('requests and lists find their rows by index, and the books that they are found in add up', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.close())
  const directory = makeTemporaryDirectory(t)
  const database = await makeDatabase(postgres, directory)
  const { requests, ofRequests, ofLists } = await countReads(database)
  assert.deepEqual(describeScans([...ofRequests, ...ofLists]), [])
  const rows = ofRequests.reduce((sum, count) => sum + count.rows, 0)
  assert.ok(rows > requests && rows < MOST_ROWS * requests, `${rows} rows for ${requests} requests`)
  const { statements, scans } = await explainCalls(database)
  assert.deepEqual(scans, [])
  // What the functions do within is among them.
  assert.ok(statements > 20, `${statements} statements were explained`)
  const store = await openPostgresStore(database.url, directory)
  t.after(() => store.close())
  const { discrepancies } = await verifyBooks(withTables<LedgerTables>(store.reads))
  assert.deepEqual(discrepancies, [])
})
