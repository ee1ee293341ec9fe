import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine, Store } from '#platform/store/index.ts'
import { formatEuros } from '#platform/money.ts'
import { call } from '../support/call.ts'
import { openEmptyStore, testOnEachEngine } from '../support/each-engine.ts'
import { servePeople } from '../support/identity/people.ts'
import { PASSWORD } from '../support/identity/visitor.ts'
import type { Scope, Service } from '../support/service.ts'
import { leadALife } from './a-life.ts'
import { readRows, readStoredColumns, readToldColumns, type Row } from './read-columns.ts'

const { fates, others } = readToldColumns('en')

async function serveOn(scope: Scope, engine: Engine): Promise<Service> {
  const { store, directory, databaseUrl } = await openEmptyStore(scope, engine)
  await store.close()
  const given = databaseUrl === undefined ? { embedded: true as const } : { databaseUrl }
  const service = await servePeople(scope, { ...given, dataDir: directory })
  // Sessions begin by the clock of the system.
  service.clock.set(Date.now())
  return service
}

test('the page says the same of the same columns in each language', () => {
  assert.deepEqual(readToldColumns('pt'), { fates, others })
})

testOnEachEngine('the page names every column of the store, once', async (t, engine) => {
  const { store } = await serveOn(t, engine)
  const stored = (await readStoredColumns(store)).filter(({ table }) => !others.includes(table))
  const told = fates.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(
    told.toSorted(),
    stored.map(({ table, column }) => `${table}.${column}`).toSorted(),
  )
})

testOnEachEngine(
  'what the page says is downloaded is, and nothing that opens anything',
  async (t, engine) => {
    const service = await serveOn(t, engine)
    const { session, personId } = await leadALife(service)
    const rows = await readAll(service.store)
    assertFull(rows)
    const { status, text, headers } = await exportOf(service, session)
    assert.equal(status, 200, text)
    assert.match(headers.get('content-disposition') ?? '', /parley-personal-data-.*\.json/)
    const told = new Set<string>()
    for (const { table, column } of fates.filter(({ isExported }) => isExported)) {
      const values = exportedRows(table, rows, personId).flatMap((row) => textsOf(column, row))
      for (const value of values) {
        told.add(value)
        assert.ok(text.includes(value), `${table}.${column} is missing: ${value}`)
      }
    }
    assert.ok(told.size > 60, `there was little to look for: ${told.size}`)
    for (const { table, column } of fates.filter(({ isExported }) => !isExported)) {
      const values = (rows.get(table) ?? []).flatMap((row) => textsOf(column, row))
      for (const value of values.filter((one) => !told.has(one))) {
        assert.ok(!text.includes(value), `${table}.${column} is told: ${value}`)
      }
    }
  },
)

testOnEachEngine(
  'what the page says is left of somebody who is deleted is, and nothing else',
  async (t, engine) => {
    const service = await serveOn(t, engine)
    const { session, personId } = await leadALife(service)
    const before = await readAll(service.store)
    assertFull(before)
    const body = { password: PASSWORD }
    const removed = await call(service, 'DELETE', '/console/api/person', { headers: session, body })
    assert.equal(removed.status, 204, removed.text)
    const after = await readAll(service.store)
    for (const { table, column, deletion } of fates) {
      const left = new Set((after.get(table) ?? []).map((row) => row[column]))
      for (const { [column]: value } of keptRows(table, before)) {
        if (deletion === 'changes' || isCommon(value)) continue
        assert.equal(left.has(value), deletion === 'stays', `${table}.${column}: ${String(value)}`)
      }
    }
    const everything = JSON.stringify([...after])
    for (const text of ['canary key', 'canary device', 'ana.png', 'canary-friend', '10.0.0.']) {
      assert.ok(JSON.stringify([...before]).includes(text), `${text} was not there`)
      if (text !== '10.0.0.') assert.ok(!everything.includes(text), text)
    }
    const own = (after.get('audit') ?? []).filter(({ account_id: id }) => id === null)
    const actions = own.filter(({ actor }) => actor === personId).map(({ action }) => action)
    assert.deepEqual(actions, ['person.removed'])
  },
)

type Rows = ReadonlyMap<string, readonly Row[]>

async function readAll(store: Store): Promise<Rows> {
  const rows = new Map<string, readonly Row[]>()
  for (const table of new Set(fates.map((fate) => fate.table))) {
    rows.set(table, await readRows(store, table))
  }
  return rows
}

function assertFull(rows: Rows): void {
  for (const { table, isExported } of fates) {
    assert.ok(!isExported || rows.get(table)?.length, `${table} has no row to look for`)
  }
}

/** Charges are told by day and as receipts; of what apps hold, the consents; of where, one's own. */
function exportedRows(table: string, rows: Rows, personId: string): readonly Row[] {
  const all = rows.get(table) ?? []
  switch (table) {
    case 'transfer':
      return all.filter(({ kind }) => kind !== 'charge' && kind !== 'write_off')
    case 'oidc_artifact':
      return all.filter(({ model }) => model === 'Grant')
    case 'audit':
      return all.map((row) =>
        row['actor'] === personId ? row : { ...row, address: null, user_agent: null },
      )
    default:
      return all
  }
}

/** What is about signing in alone goes whole. */
function keptRows(table: string, rows: Rows): readonly Row[] {
  const all = rows.get(table) ?? []
  return table === 'audit' ? all.filter(({ account_id: id }) => id !== null) : all
}

/** Of other rows too, so that it tells nothing. */
function isCommon(value: unknown): boolean {
  if (typeof value === 'string') return value.length < 10
  return typeof value !== 'number' || value < 1_000_000
}

/** As a value stands in JSON; nothing where it could stand there by chance. */
function textsOf(column: string, row: Row): string[] {
  const value = row[column]
  if (column === 'payload' || column === 'seller') return []
  if (column === 'details') {
    const leaves = Object.entries(JSON.parse(String(value)) as Row)
    return leaves.flatMap(([name, leaf]) => textsOf(name, { [name]: leaf }))
  }
  if (isCommon(value)) return []
  if (typeof value === 'string') return [JSON.stringify(value)]
  return [column.endsWith('_nano') ? formatEuros(BigInt(Number(value))) : String(value)]
}

function exportOf(service: Service, headers: Readonly<Record<string, string>>) {
  return call(service, 'POST', '/console/api/person/export', {
    headers,
    body: { password: PASSWORD },
  })
}
