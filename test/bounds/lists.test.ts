import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Kysely } from 'kysely'
import { withTables } from '#platform/store/index.ts'
import { openSqliteConnection } from '../../src/platform/store/sqlite-connection.ts'
import { createLock, createSqliteDialect } from '../../src/platform/store/sqlite-dialect.ts'
import { selectAccounts } from '../../src/accounts/account.ts'
import { selectAudit } from '../../src/accounts/audit.ts'
import { selectKeys } from '../../src/accounts/keys.ts'
import type { AccountsTables } from '../../src/accounts/tables.ts'
import { selectReceipts } from '../../src/ledger/queries.ts'
import type { LedgerTables } from '../../src/ledger/tables.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openAccount, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after })
const { accountId } = await openAccount(service)

/** The statements that went through this connection, with their parameters. */
const sent: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
const path = join(service.dataDir, 'parley.db')
const connection = openSqliteConnection({ path, readOnly: true })
const db = new Kysely<object>({
  dialect: createSqliteDialect(connection, createLock()),
  log: ({ query }) => void sent.push(query),
})
after(() => connection.close())

const page = { before: 'zzz', limit: 51 }
const newest = { ...page, before: undefined }
const money = withTables<LedgerTables>(db)
const people = withTables<AccountsTables>(db)

/** Each list with what the store does for it. A scan is in an index's order, to the page's end. */
const lists: Readonly<Record<string, readonly [() => Promise<unknown>, readonly RegExp[]]>> = {
  receipts: [
    () => selectReceipts(money, accountId, page),
    [/^SEARCH receipt USING INDEX \w+ \(account_id=\? AND request_id<\?\)$/],
  ],
  'the newest receipts': [
    () => selectReceipts(money, accountId, newest),
    [/^SEARCH receipt USING INDEX \w+ \(account_id=\?\)$/],
  ],
  accounts: [
    () => selectAccounts(people, { before: 'zzz' }, 51),
    [/^SEARCH account USING INDEX \w+ \(id<\?\)$/, /^SEARCH person USING INDEX \w+ \(id=\?\)$/],
  ],
  'the newest accounts': [
    () => selectAccounts(people, {}, 51),
    [/^SCAN account USING INDEX \w+$/, /^SEARCH person USING INDEX \w+ \(id=\?\)$/],
  ],
  // What one person or one account has is sorted: a few rows, however many there are in all.
  'the accounts of an address': [
    () => selectAccounts(people, { email: 'x@example.com' }, 51),
    [
      /^SEARCH person USING INDEX \w+ \(email=\?\)$/,
      /^SEARCH account USING INDEX \w+ \(person_id=\?\)$/,
      /^USE TEMP B-TREE FOR ORDER BY$/,
    ],
  ],
  keys: [
    () => selectKeys(people, accountId, page),
    [/^SEARCH api_key USING INDEX \w+ \(account_id=\?\)$/, /^USE TEMP B-TREE FOR ORDER BY$/],
  ],
  'the audit log': [() => selectAudit(people, page), [/^SEARCH audit USING INDEX \w+ \(id<\?\)$/]],
  'the newest of the audit log': [
    () => selectAudit(people, newest),
    [/^SCAN audit USING INDEX \w+$/],
  ],
}

for (const [what, [list, plan]] of Object.entries(lists)) {
  test(`a page of ${what} is found by an index`, async () => {
    await list()
    const { sql, parameters } = sent.at(-1)!
    assert.match(sql, / limit \?$/)
    const { rows } = await connection.query(`explain query plan ${sql}`, [...parameters] as never)
    const steps = rows.map((row) => (row as { detail: string }).detail)
    assert.equal(steps.length, plan.length, steps.join('\n'))
    for (const [place, step] of steps.entries()) assert.match(step, plan[place]!)
  })
}

test('every list has pages of at most 200', async () => {
  const paths = ['/accounts', '/audit', `/accounts/${accountId}/keys`]
  for (const list of [...paths, `/accounts/${accountId}/receipts`]) {
    assert.equal((await operate(service, 'GET', `${list}?limit=200`)).status, 200)
    for (const limit of ['0', '201', '1000000', '-1', 'x']) {
      const refused = await operate(service, 'GET', `${list}?limit=${limit}`)
      assert.match(assertRefused(refused, 'invalid_request'), /^limit: /)
    }
  }
})

test('the keys of an account come in pages, each once and the newest first', async () => {
  const path_ = `/accounts/${accountId}/keys`
  for (let count = 2; count <= 60; count += 1) {
    await operate(service, 'POST', path_, { name: `key ${count}` })
  }
  const first = await operate(service, 'GET', path_)
  assert.equal(first.json.data.length, 50)
  const cursor = String(first.json.next_cursor)
  const second = await operate(service, 'GET', `${path_}?cursor=${cursor}`)
  const names = [first, second].flatMap(({ json }) => json.data.map(({ name }) => name))
  const expected = Array.from({ length: 59 }, (_, index) => `key ${60 - index}`)
  assert.deepEqual(names, [...expected, 'test'])
  assert.equal(second.json.next_cursor, null)
})
