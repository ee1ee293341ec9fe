import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { alertTables } from '#alerts/index.ts'
import { identityTables } from '#identity/index.ts'
import { createId } from '#platform/ids.ts'
import { nano } from '#platform/money.ts'
import { paymentTables } from '#payments/index.ts'
import { TABLES } from '../../src/tables.ts'
import { runCommand } from '../cli/run-command.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, openAccountWith, operate } from '../support/call.ts'
import { runBeside } from '../support/each-engine.ts'
import { makeCharge } from '../support/open-ledger.ts'
import { readAll } from '../support/read-all.ts'
import { startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { createGuardedDatabase, PASSWORD } from '../support/postgres/guarded-database.ts'
import { charge, createEnds, isMarked, makeTables, query, runMigrate, serveEnd } from './ends.ts'

/** More than one batch of the copy. */
const MANY = 4_500

/** A store with something in every table, and one charge that is still in the spill file. */
async function createRichStore(t: TestContext) {
  const dataDir = makeTemporaryDirectory(t)
  const service = await startService({ dataDir, embedded: true })
  const ada = await openAccount(service, { depositEur: '20.00', daily_ceiling_eur: '7.50' })
  const poor = await openAccountWith(service, '0.000002')
  const suspended = await openAccount(service, { suspended: true })
  const named = { email: 'Ünï@example.com', name: 'Åse "quoted" \\ 😀\u001F\n' }
  await operate(service, 'POST', '/accounts', named)
  for (const brand of ['air', 'prime']) {
    assert.equal((await chat(service, ada.key, brand, hello)).status, 200)
  }
  await operate(service, 'DELETE', `/accounts/${suspended.accountId}/keys/${suspended.keyId}`)
  await operate(service, 'PATCH', '/models/nova', { enabled: false })
  await charge(service, ada, MANY)
  await charge(service, poor, 3, { cost: nano(900), finishReason: null, firstTokenMs: null })
  const old = makeCharge(
    ada.accountId,
    `req_${Date.UTC(2026, 0, 31).toString(16).padStart(12, '0')}7abc`,
  )
  await service.app.ledger.charge(old)
  await service.close()
  const spilled = makeCharge(ada.accountId, createId('req'), { keyId: ada.keyId, cost: nano(77) })
  appendFileSync(join(dataDir, 'spill.jsonl'), `${JSON.stringify(spilled)}\n`)
  return { dataDir, ada, suspended, spilled, old }
}

test('after a move a service on PostgreSQL answers as the one on the embedded store did', async (t) => {
  const { dataDir, ada, suspended, spilled, old } = await createRichStore(t)
  const databaseUrl = await createGuardedDatabase()
  const { code, stdout, stderr } = await runMigrate({ dataDir, databaseUrl })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^receipt +written off +0\.0000007 € +0\.0000007 €$/m)
  assert.doesNotMatch(stdout, /differs/)

  // Only to compare: this is what nobody does in earnest.
  assert.equal(existsSync(join(dataDir, 'spill.jsonl')), false)
  rmSync(join(dataDir, 'MOVED'))
  const [before, after] = [await serveEnd(t, { dataDir }), await serveEnd(t, { databaseUrl })]
  const moved = await readAll(after)
  assert.deepEqual(moved, await readAll(before))
  const receipts = JSON.stringify(moved[`receipts of ${ada.accountId}`])
  assert.equal(receipts.match(/"request_id"/g)?.length, MANY + 4)
  assert.ok(receipts.includes(spilled.requestId))

  assert.equal((await chat(after, ada.key, 'air', hello)).status, 200)
  assertRefused(await chat(after, ada.key, 'nova', hello), 'model_unavailable')
  assertRefused(await chat(after, suspended.key, 'air', hello), 'invalid_api_key')
  assert.equal((await operate(after, 'GET', '/ledger/verify')).json.ok, true)

  const parts = await query(
    databaseUrl,
    `select tableoid::regclass::text as part from receipt where request_id in ('${old.requestId}', '${spilled.requestId}') order by 1`,
  )
  assert.deepEqual(
    parts.map(({ part }) => part),
    ['receipt_2026_01', `receipt_${new Date().toISOString().slice(0, 7).replace('-', '_')}`],
  )
})

test('the move says how far it is and what to set, and never the password', async (t) => {
  const ends = await createEnds(t)
  const { code, stdout, stderr } = await runMigrate(ends)
  assert.equal(code, 0)
  assert.match(stdout, /^TABLE +FIGURE +SOURCE +TARGET$/m)
  assert.match(stdout, /^api_key +rows +1 +1$/m)
  assert.match(stdout, /^transfer +amount of deposit +5\.00 € +5\.00 €$/m)
  assert.match(stderr, /^ {2}14 of 14 rows \(100 %\), [\d,]+ rows\/s$/m)
  const { host, pathname } = new URL(ends.databaseUrl)
  assert.ok(stderr.includes(`Moved to ${host}${pathname}. The books add up there`))
  for (const name of [
    'DATABASE_URL',
    'PARLEY_SECRET',
    'PARLEY_OPERATOR_TOKEN',
    'PARLEY_DATA_DIR',
  ]) {
    assert.match(stderr, new RegExp(`^ {2}${name} `, 'm'))
  }
  assert.ok(stderr.includes(join(ends.dataDir, 'operator-token')))
  assert.ok(
    !(stdout + stderr + readFileSync(join(ends.dataDir, 'MOVED'), 'utf8')).includes(PASSWORD),
  )
})

test('--json prints the figures of both ends, and nothing else on stdout', async (t) => {
  const ends = await createEnds(t)
  const { code, json } = await runMigrate(ends, ['--json'])
  assert.equal(code, 0)
  const { figures, ...rest } = json as { figures: Record<string, unknown>[] }
  const { host, pathname } = new URL(ends.databaseUrl)
  assert.deepEqual(rest, {
    moved: true,
    from: ends.dataDir,
    to: host + pathname,
    source_marked: true,
    verification: { ok: true, transfers: 3, accounts: 1, discrepancies: [] },
  })
  const rows = figures.filter(({ figure }) => figure === 'rows')
  assert.deepEqual(
    rows.map(({ table }) => table),
    Object.keys(TABLES),
  )
  const balance = figures.find(({ figure }) => figure === 'balance')
  assert.match(String(balance?.['source']), /^5\.99\d+$/)
  const { source } = balance ?? {}
  assert.deepEqual(balance, {
    table: 'balance',
    figure: 'balance',
    unit: 'eur',
    source,
    target: source,
  })
})

test('on a terminal the line of the progress is written over', async (t) => {
  const { dataDir, databaseUrl } = await createEnds(t)
  const args = ['migrate', '--from', dataDir, '--to', databaseUrl]
  const { code, stderr } = await runCommand(undefined, args, { terminals: ['stderr'] })
  assert.equal(code, 0)
  // oxlint-disable-next-line no-control-regex -- It is what this is about.
  assert.match(stderr, /^Copying\n(\r\u001B\[K {2}\d+ of 14 rows .+ rows\/s)+\nAdding up the copy/m)
})

test('a store of an earlier version is brought up to date and moved', async (t) => {
  const ends = await createEnds(t)
  await runBeside({ directory: ends.dataDir, databaseUrl: undefined }, [
    ...Object.keys({ ...identityTables, ...paymentTables, ...alertTables })
      .toReversed()
      .map((table) => `drop table ${table}`),
    'drop index entry_by_time',
    'drop index account_day_of_day',
    'drop index account_day_of_key',
    'drop index movement_by_debit',
    'drop index movement_by_credit',
    'drop index console_key_of_account',
    'drop index audit_of_account',
    'drop index audit_of_person',
    'drop index audit_by_person',
    'drop index audit_with_address',
    ...['acted_as', 'person_id', 'address', 'user_agent'].map(
      (column) => `alter table audit drop column ${column}`,
    ),
    'drop table account_member',
    'drop table invitation',
    'alter table api_key drop column kind',
    'alter table api_key drop column expires_at',
    'alter table api_key drop column daily_ceiling_nano',
    'alter table balance drop column raises',
    'alter table balance drop column raised_to_nano',
    "delete from kysely_migration where name >= '0007'",
  ])
  const { code, stderr } = await runMigrate(ends)
  assert.equal(code, 0, stderr)
})

test('DATABASE_URL and PARLEY_DATA_DIR say what is moved where, if nothing else does', async (t) => {
  const { dataDir, databaseUrl } = await createEnds(t)
  const env = { PARLEY_DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  const { code } = await runCommand(undefined, ['migrate'], { env })
  assert.equal(code, 0)
})

test('nothing is started on a store that was moved, until its mark is deleted', async (t) => {
  const ends = await createEnds(t)
  await runMigrate(ends)
  const told =
    /was moved to PostgreSQL at 127\.0\.0\.1:\d+\/db_\d+ on .+ Set DATABASE_URL .+ delete .+MOVED\.$/m
  const env = { PARLEY_DATA_DIR: ends.dataDir, PARLEY_CONFIG: undefined, LOG_LEVEL: 'silent' }
  const served = await runCommand(undefined, ['serve'], { env })
  assert.equal(served.code, 1)
  assert.match(served.stderr, told)
  const again = await runMigrate({ ...ends, databaseUrl: await createGuardedDatabase() })
  assert.equal(again.code, 1)
  assert.match(again.stderr, told)
  rmSync(join(ends.dataDir, 'MOVED'))
  const service = await serveEnd(t, { dataDir: ends.dataDir })
  assert.equal((await chat(service, ends.key, 'air', hello)).status, 200)
})

test('a replica may keep using the directory that was moved from', async (t) => {
  const ends = await createEnds(t)
  await runMigrate(ends)
  assert.ok(isMarked(ends.dataDir))
  const service = await startService(ends)
  t.after(() => service.close())
  assert.equal((await chat(service, ends.key, 'air', hello)).status, 200)
})

test('every table of the embedded store is moved, with every column', async (t) => {
  const { dataDir, databaseUrl } = await createEnds(t)
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true })
  t.after(() => database.close())
  const tables = database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
        and name not like 'kysely_%' order by name`,
    )
    .all()
    .map(({ name }) => String(name))
  assert.deepEqual(tables, Object.keys(TABLES).toSorted())
  await makeTables(databaseUrl)
  for (const table of tables) {
    const here = database.prepare(`select name from pragma_table_info('${table}')`).all()
    const there = await query(
      databaseUrl,
      `select column_name as name from information_schema.columns where table_name = '${table}'`,
    )
    const names = (rows: readonly Record<string, unknown>[]) =>
      rows.map(({ name }) => String(name)).toSorted()
    assert.deepEqual(names(here), names(there), table)
  }
})
