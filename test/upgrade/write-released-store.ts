import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accountsTables } from '#accounts/index.ts'
import { ledgerTables } from '#ledger/index.ts'
import { moveStore } from '#move/index.ts'
import { paymentTables } from '#payments/index.ts'
import { openSqliteReader, readFigures, sqlitePathOf } from '#platform/store/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { hello } from '../support/call.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { startPostgres } from '../support/postgres/index.ts'
import { readAll } from '../support/read-all.ts'
import { describeUpstream, startService, type Service } from '../support/service.ts'
import { fillStore } from './fill-store.ts'
import { writeReleasedStore, type ReleasedFigure, type ReleasedStore } from './released-store.ts'
import { writePostgresSql, writeSqliteSql } from './write-sql.ts'

/** Makes today's store what later versions are started on; needs pg_dump. */
const endedAtMs = Date.UTC(2026, 10, 20, 12)
const directory = mkdtempSync(join(tmpdir(), 'parley-released-'))
const postgres = await startPostgres()
try {
  const dataDir = join(directory, 'data')
  const store = await fill(dataDir)
  const sqlite = writeSqliteSql(dataDir)
  const databaseUrl = await postgres.createDatabase()
  const { signal } = new AbortController()
  const move = await moveStore({ dataDir, databaseUrl, signal, onProgress: () => {} })
  assert.equal(move.kind, 'moved')
  const dump = await dumpWithHold(databaseUrl, store)
  writeReleasedStore(store, { sqlite, postgres: dump })
  console.log(`The store of ${store.version} is what later versions are started on.`)
} finally {
  await postgres.close()
  rmSync(directory, { recursive: true })
}

async function fill(dataDir: string): Promise<ReleasedStore> {
  const clock = createManualClock(endedAtMs)
  const service = await startService({
    dataDir,
    clock,
    embedded: true,
    identity: true,
    trustedProxies: ['127.0.0.1'],
  })
  const filled = await fillStore(service)
  await service.close()
  // As a start finds it, when nothing has been called since.
  const again = await startService({ dataDir, clock, embedded: true })
  const read = await readAll(again)
  await again.close()
  const figures = await readAllFigures(dataDir)
  return { version: packageJson.version, endedAtMs, ...filled, read, figures }
}

async function readAllFigures(dataDir: string): Promise<ReleasedFigure[]> {
  const reader = await openSqliteReader(sqlitePathOf(dataDir))
  // Not of sessions and the like, which end by themselves.
  const tables = { ...accountsTables, ...ledgerTables, ...paymentTables }
  const figures = await readFigures(reader.db, tables)
  await reader.close()
  return figures.map(({ table, name, value }) => ({ table, name, value: value.toString() }))
}

/** Dumped while a request is under way: what it holds is there, and whoever loads it finds its replica dead. */
async function dumpWithHold(databaseUrl: string, store: ReleasedStore): Promise<string> {
  const upstream = await startFakeUpstream()
  upstream.play({ fault: { kind: 'hang', at: 'before-head' } })
  const clock = createManualClock(endedAtMs)
  const service = await startService({
    databaseUrl,
    clock,
    upstreams: [describeUpstream(upstream)],
  })
  try {
    // What a model says of its upstream is another one's.
    const { models: _, ...read } = await readAll(service)
    const { models: __, ...told } = store.read
    assert.deepEqual(read, told)
    const leaving = new AbortController()
    const asking = ask(service, store.keys.paying, leaving.signal)
    while ((await countHolds(service)) === 0) await delay(20)
    const text = writePostgresSql(databaseUrl)
    leaving.abort()
    await asking.catch(() => {})
    return text
  } finally {
    await service.close()
    await upstream.close()
  }
}

async function ask({ origin }: Service, key: string, signal: AbortSignal): Promise<void> {
  await fetch(`${origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(hello),
    signal,
  })
}

async function countHolds({ store }: Service): Promise<number> {
  assert.equal(store.engine, 'postgres')
  const statement = { name: 'count_holds', text: 'select count(*) as holds from gate_hold' }
  const [row] = await store.call<{ holds: number }>(statement, [])
  return row?.holds ?? 0
}
