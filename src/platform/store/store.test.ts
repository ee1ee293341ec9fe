import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { makeTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import {
  migrate,
  openSqliteStore,
  runStatements,
  StoreTooNew,
  StoreUnreachable,
  withTables,
  type Migrations,
} from './index.ts'
import type { Procedure } from './store.ts'

interface Tables {
  thing: { name: string }
}

/** A promise that never ends must not hold up all tests. */
const TIMEOUT = { timeout: 5_000 }

const makeThings: Migrations = {
  '0001_thing': (db) => runStatements(db, 'create table thing (name text primary key)'),
}

/** A module for the database's thread: writes a row, then fails where it is told to. */
const procedureText = `
  export function procedure(statements, { name, fails }) {
    statements.prepare('insert into thing (name) values (?)').run(name)
    if (fails) throw new Error('failed after ' + name)
    return statements.prepare('select count(*) as things from thing').get().things
  }`

const addThing: Procedure<{ name: string; fails: boolean }, number> = {
  url: new URL(`data:text/javascript,${encodeURIComponent(procedureText)}`),
}

async function openThings(t: TestContext, directory = makeTemporaryDirectory(t)) {
  const store = await openSqliteStore(directory)
  let closed = false
  const close = async (): Promise<void> => {
    if (!closed) await store.close()
    closed = true
  }
  t.after(close)
  await migrate(store, [makeThings])
  const db = withTables<Tables>(store.db)
  const names = async (): Promise<string[]> => {
    const reads = withTables<Tables>(store.reads)
    const rows = await reads.selectFrom('thing').select('name').orderBy('name').execute()
    return rows.map(({ name }) => name)
  }
  const add = (name: string) => db.insertInto('thing').values({ name }).execute()
  return { directory, store, db, names, add, close }
}

test('what was written is there when the store is opened again', async (t) => {
  const first = await openThings(t)
  await first.add('kept')
  await first.close()
  const second = await openThings(t, first.directory)
  assert.deepEqual(await second.names(), ['kept'])
})

test('only its owner can enter the directory of a store', async (t) => {
  const directory = join(makeTemporaryDirectory(t), 'made', 'deep')
  await openThings(t, directory)
  assert.equal(statSync(directory).mode & 0o777, 0o700)
})

test('a file that is damaged is told with what to do, and its directory is free again', async (t) => {
  const directory = makeTemporaryDirectory(t)
  writeFileSync(join(directory, 'parley.db'), 'what is no database, '.repeat(1_000))
  for (const _again of [1, 2]) {
    await assert.rejects(openSqliteStore(directory), (error) => {
      assert.ok(error instanceof StoreUnreachable)
      assert.match(error.message, /parley\.db cannot be opened: file is not a database\. Put its/)
      return true
    })
  }
})

test('a migration runs once, also where others come later', async (t) => {
  const { store, directory, close } = await openThings(t)
  let runs = 0
  const later: Migrations = {
    async '0002_more'(db) {
      runs += 1
      await runStatements(db, "insert into thing (name) values ('by migration')")
    },
  }
  await migrate(store, [makeThings, later])
  await migrate(store, [makeThings, later])
  await close()
  const again = await openSqliteStore(directory)
  t.after(() => again.close())
  await migrate(again, [makeThings, later])
  assert.equal(runs, 1)
})

test('a store that a newer version has changed is told apart from one that is broken', async (t) => {
  const { store } = await openThings(t)
  await migrate(store, [makeThings, { '0002_newer': async () => {} }])
  await assert.rejects(migrate(store, [makeThings]), (error) => {
    assert.ok(error instanceof StoreTooNew)
    assert.match(error.message, /by a newer version \(0002_newer\).* restore the backup/)
    return true
  })
})

test('a migration that fails leaves nothing behind and is named', async (t) => {
  const { store, names } = await openThings(t)
  const bad: Migrations = {
    '0002_bad': (db) =>
      runStatements(db, "insert into thing (name) values ('half')", 'create nonsense'),
  }
  await assert.rejects(migrate(store, [makeThings, bad]), /up to date \(0002_bad\)/)
  assert.deepEqual(await names(), [])
})

test('a transaction that throws is rolled back, and the next one goes on', async (t) => {
  const { db, names, add } = await openThings(t)
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('thing').values({ name: 'lost' }).execute()
    throw new Error('changed its mind')
  })
  await assert.rejects(failing, /changed its mind/)
  await add('kept')
  assert.deepEqual(await names(), ['kept'])
})

test('a statement that fails rolls its transaction back', async (t) => {
  const { db, names, add } = await openThings(t)
  await add('there')
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('thing').values({ name: 'lost' }).execute()
    await tx.insertInto('thing').values({ name: 'there' }).execute()
  })
  await assert.rejects(failing, /UNIQUE/)
  assert.deepEqual(await names(), ['there'])
})

test('a procedure is one transaction: it gives its result, or leaves nothing', async (t) => {
  const { store, names } = await openThings(t)
  assert.equal(await store.run(addThing, { name: 'one', fails: false }), 1)
  await assert.rejects(store.run(addThing, { name: 'two', fails: true }), /failed after two/)
  assert.equal(await store.run(addThing, { name: 'three', fails: false }), 2)
  assert.deepEqual(await names(), ['one', 'three'])
})

test('a procedure waits for the transaction that is open, and never gets into it', async (t) => {
  const { store, db, names } = await openThings(t)
  const { promise: goOn, resolve } = Promise.withResolvers<void>()
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('thing').values({ name: 'lost' }).execute()
    await goOn
    throw new Error('changed its mind')
  })
  const running = store.run(addThing, { name: 'kept', fails: false })
  resolve()
  await assert.rejects(failing, /changed its mind/)
  assert.equal(await running, 1)
  assert.deepEqual(await names(), ['kept'])
})

test('reads see what was committed and nothing of what is under way, and wait for no one', async (t) => {
  const { db, names, add } = await openThings(t)
  await add('committed')
  const seen = await db.transaction().execute(async (tx) => {
    await tx.insertInto('thing').values({ name: 'under way' }).execute()
    return names()
  })
  assert.deepEqual(seen, ['committed'])
  assert.deepEqual(await names(), ['committed', 'under way'])
})

test('errors carry the code of the database', async (t) => {
  const { store, add } = await openThings(t)
  await add('there')
  // SQLITE_CONSTRAINT_PRIMARYKEY, and SQLITE_ERROR for what is no SQL.
  await assert.rejects(add('there'), { code: 1555 })
  await assert.rejects(sql.raw('nonsense').execute(store.db), { code: 1 })
})

test('the connection for reads cannot write', async (t) => {
  const { store } = await openThings(t)
  const reads = withTables<Tables>(store.reads)
  await assert.rejects(reads.insertInto('thing').values({ name: 'x' }).execute(), /readonly/)
})

test('what has a value bound to it is never taken for SQL', async (t) => {
  const { names, add } = await openThings(t)
  const name = "x'); drop table thing; --"
  await add(name)
  assert.deepEqual(await names(), [name])
})

test('more distinct statements than are kept prepared still work', async (t) => {
  const { store } = await openThings(t)
  for (let count = 0; count < 600; count += 1) {
    const { rows } = await sql.raw<{ n: number }>(`select ${count} as n`).execute(store.db)
    assert.equal(rows[0]?.n, count)
  }
})

test('a commit survives a power cut: the journal is a log and every commit is on the disk', async (t) => {
  const { store } = await openThings(t)
  const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(store.db)
  assert.equal(mode.rows[0]?.journal_mode, 'wal')
  const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(store.db)
  assert.equal(synchronous.rows[0]?.synchronous, 2)
})

test('closing waits for the transaction that is open', async (t) => {
  const { db, close, directory } = await openThings(t)
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const adding = db.transaction().execute(async (tx) => {
    await tx.insertInto('thing').values({ name: 'last' }).execute()
    begun.resolve()
    await goOn.promise
  })
  await begun.promise
  const closing = close()
  goOn.resolve()
  await Promise.all([adding, closing])
  const again = await openThings(t, directory)
  assert.deepEqual(await again.names(), ['last'])
})

test('a store that was closed says so, and closing it again is harmless', TIMEOUT, async (t) => {
  const { store, add, close } = await openThings(t)
  await close()
  await assert.rejects(add('too late'), /closed/)
  await store.close()
})

test('what SQLite has undone by itself is told by its own error', async (t) => {
  const { db } = await openThings(t)
  const failing = db.transaction().execute(async (tx) => {
    // As SQLite does where the disk is full or failing.
    await sql`rollback`.execute(tx)
    throw new Error('the disk is full')
  })
  await assert.rejects(failing, /the disk is full/)
})
