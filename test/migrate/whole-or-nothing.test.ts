import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { chat, hello, operate } from '../support/call.ts'
import { startChild, type Child } from '../support/child.ts'
import { PASSWORD } from '../support/postgres/guarded-database.ts'
import {
  createEnds,
  findFilled,
  isMarked,
  makeTables,
  query,
  runMigrate,
  serveEnd,
  until,
  type Ends,
} from './ends.ts'

/**
 * The move stops after the receipts, until the lock with this number is given back. It waits for others'
 * locks only for so long, and must wait for this one as long as a busy machine takes.
 */
const LOCK = 4_711
const STOP = `
  create function stop() returns trigger language plpgsql set lock_timeout = 0 as $$
  begin
    perform pg_advisory_lock(${LOCK});
    perform pg_advisory_unlock(${LOCK});
    return null;
  end $$;
  create trigger stop after insert on receipt for each statement execute function stop()`

interface StoppedMove extends Ends {
  readonly key: string
  readonly child: Child
  /** Lets PostgreSQL go on with what it was at. */
  goOn(): Promise<void>
}

/** A move in a process of its own, in the middle of its copy. */
async function stopInTheMiddle(t: TestContext): Promise<StoppedMove> {
  const ends = await createEnds(t)
  await makeTables(ends.databaseUrl, STOP)
  const lock = new pg.Client({ connectionString: ends.databaseUrl })
  await lock.connect()
  let held = true
  const goOn = async (): Promise<void> => {
    if (held) await lock.end()
    held = false
  }
  await lock.query(`select pg_advisory_lock(${LOCK})`)
  const args = ['migrate', '--from', ends.dataDir, '--to', ends.databaseUrl]
  const child = startChild('src/cli/parley.ts', args, { cwd: ends.dataDir })
  t.after(async () => {
    await goOn()
    await child.kill()
  })
  await until(async () => (await countMoves(ends.databaseUrl, "and wait_event = 'advisory'")) === 1)
  return { ...ends, child, goOn }
}

/** Nothing is there, the store that was to be moved serves as before, and a second try succeeds. */
async function assertNothingMoved(t: TestContext, { key, ...ends }: Ends & { key: string }) {
  const { dataDir, databaseUrl } = ends
  await until(async () => (await countMoves(databaseUrl)) === 0)
  assert.deepEqual(await findFilled(databaseUrl), [])
  assert.equal(isMarked(dataDir), false)
  const service = await serveEnd(t, { dataDir })
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
  await service.app.close(0)
  await service.store.close()
  await query(databaseUrl, 'drop trigger if exists stop on receipt')
  assert.equal((await runMigrate(ends)).code, 0)
}

test('killed in the middle: nothing is moved, and the store is as it was', async (t) => {
  const { child, ...ends } = await stopInTheMiddle(t)
  await child.kill()
  await assertNothingMoved(t, ends)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`ended by ${signal} in the middle: it says so at once, and nothing is moved`, async (t) => {
    const { child, ...ends } = await stopInTheMiddle(t)
    child.process.kill(signal)
    assert.equal(await child.ended, 1)
    assert.match(child.stderr, /^Ending the move\. /m)
    assert.match(child.stderr, /^Interrupted: nothing was moved, .+ Run this again to move it\.$/m)
    assert.equal(child.stdout, '')
    assert.doesNotMatch(child.stderr, /^ +at /m)
    await assertNothingMoved(t, ends)
  })
}

test('a connection that is lost in the middle: it says so, and nothing is moved', async (t) => {
  const { child, ...ends } = await stopInTheMiddle(t)
  await query(
    ends.databaseUrl,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley bulk' and datname = current_database()",
  )
  assert.equal(await child.ended, 1)
  assert.match(
    child.stderr,
    /^The database at .+ is gone \(.+\)\. Nothing was moved: run this again/m,
  )
  assert.ok(!child.stderr.includes(PASSWORD))
  await assertNothingMoved(t, ends)
})

test('a connection that is lost in the commit: it says that this is not known', async (t) => {
  const ends = await createEnds(t)
  await makeTables(
    ends.databaseUrl,
    `create function die() returns trigger language plpgsql as $$
    begin
      perform pg_terminate_backend(pg_backend_pid());
      return null;
    end $$`,
    `create constraint trigger die after insert on person deferrable initially deferred
      for each row execute function die()`,
  )
  const { code, stdout, stderr } = await runMigrate(ends)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(
    stderr,
    /was lost during the commit, .+ where it finds the database not empty, all of them are there\.$/m,
  )
  await query(ends.databaseUrl, 'drop trigger die on person')
  await assertNothingMoved(t, ends)
})

/** What changes rows on their way, where it happens, and how it is told. */
const FALSIFIERS = [
  {
    name: 'a receipt that is lost',
    table: 'receipt',
    change: 'return null',
    told: /^The copy differs: receipt \(rows\), receipt \(charged\), .+\n.+has no receipt$/m,
  },
  {
    name: 'a token too many',
    table: 'receipt',
    change: 'new.prompt_tokens := new.prompt_tokens + 1',
    told: /^The copy differs: receipt \(prompt tokens\), receipt \(contents\)\.\nday /m,
  },
  {
    name: 'an amount that is another',
    table: 'transfer',
    change: "if new.kind = 'grant' then new.amount_nano := new.amount_nano + 1; end if",
    told: /^The copy differs: transfer \(amount of grant\), transfer \(contents\)\.\nbalance of /m,
  },
  {
    name: 'a text that no sum is of',
    table: 'api_key',
    change: "new.hash := translate(new.hash, '0123456789', '1234567890')",
    told: /^The copy differs: api_key \(contents\)\.\nNothing was moved: the copy at .+ was undone\./m,
  },
  {
    name: 'a value that became none',
    table: 'receipt',
    change: 'new.first_token_ms := null; new.finish_reason := null',
    told: /^The copy differs: receipt \(contents\)\.\n/m,
  },
]

for (const { name, table, change, told } of FALSIFIERS) {
  test(`the copy is compared with its source: ${name} is found, and all of it undone`, async (t) => {
    const ends = await createEnds(t)
    await makeTables(
      ends.databaseUrl,
      `create function falsify() returns trigger language plpgsql as $$ begin ${change}; return new; end $$`,
      `create trigger falsify before insert on ${table} for each row execute function falsify()`,
    )
    const { code, stdout, stderr } = await runMigrate(ends)
    assert.equal(code, 1)
    assert.match(stderr, told)
    assert.match(stdout, new RegExp(`^${table} .+ differs$`, 'm'))
    const { code: codeOfJson, json } = await runMigrate(ends, ['--json'])
    assert.deepEqual([codeOfJson, (json as { moved: unknown }).moved], [1, false])
    await query(ends.databaseUrl, `drop trigger falsify on ${table}`)
    await assertNothingMoved(t, ends)
  })
}

test('a transfer of another book, which no sum shows, is found by the books too', async (t) => {
  const ends = await createEnds(t)
  await makeTables(
    ends.databaseUrl,
    `create function falsify() returns trigger language plpgsql as $$
      begin new.debit := 'book:cash'; return new; end $$`,
    'create trigger falsify before insert on transfer for each row execute function falsify()',
  )
  const { code, stderr } = await runMigrate(ends)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^The copy differs: transfer \(contents\)\.\n.*transfer .+ goes from book:cash/ms,
  )
  assert.deepEqual(await findFilled(ends.databaseUrl), [])
})

async function countMoves(databaseUrl: string, condition = ''): Promise<number> {
  const [row] = await query(
    databaseUrl,
    `select count(*)::int as moves from pg_stat_activity
      where application_name = 'parley bulk' and datname = current_database() ${condition}`,
  )
  return row?.['moves'] as number
}
