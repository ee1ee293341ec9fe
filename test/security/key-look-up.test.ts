import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql, type KyselyPlugin } from 'kysely'
import { openSqliteStore, type Store } from '#platform/store/index.ts'
import { generateKey, hashKey, isWellFormedKey } from '../../src/accounts/api-key.ts'
import { createApp, type App } from '../../src/app.ts'
import { APP_OPTIONS } from '../support/app-options.ts'
import { createMemoryMailer } from '../support/memory-mailer.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

interface Watched {
  readonly app: App
  readonly store: Store
  /** Every query that the store was asked, with its parameters. */
  readonly asked: string[]
}

async function startWatched(t: TestContext): Promise<Watched> {
  const dataDir = makeTemporaryDirectory(t)
  const store = await openSqliteStore(dataDir)
  const asked: string[] = []
  const watch: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const watched = {
    engine: store.engine,
    db: store.db.withPlugin(watch),
    reads: store.reads.withPlugin(watch),
    run: store.run.bind(store),
    close: store.close.bind(store),
  }
  const app = await createApp({
    store: watched,
    dataDir,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    ...APP_OPTIONS,
    mailer: createMemoryMailer(),
    brands: { air: { upstreams: [] }, prime: { upstreams: [] }, nova: { upstreams: [] } },
  })
  t.after(async () => {
    await app.close(0)
    await store.close()
  })
  return { app, store, asked }
}

async function listModels({ app }: Watched, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, host: 'parley.test' }
  return (await app.server.inject({ url: '/v1/models', headers })).statusCode
}

test('a key is looked for by its SHA-256 alone, in an index, and no letter of it is compared', async (t) => {
  const watched = await startWatched(t)
  const { app, store, asked } = watched
  const account = await app.accounts.create({ email: 'a@example.com', name: undefined }, 'test')
  const { key } = await app.accounts.createKey(account.id, { name: 'test' }, 'test')
  const unknown = generateKey('svc').key
  asked.length = 0
  assert.equal(await listModels(watched, key), 200)
  assert.equal(await listModels(watched, unknown), 401)
  for (const one of [key, unknown]) {
    assert.equal(asked.filter((query) => query.includes(hashKey(one))).length, 1)
    assert.ok(!asked.some((query) => query.includes(one.slice(13, 23))))
  }
  const plan = await sql<{ detail: string }>`
    explain query plan select id from api_key where hash = ${hashKey(key)} and revoked_at is null
  `.execute(store.reads)
  assert.match(
    plan.rows.map(({ detail }) => detail).join(),
    /^SEARCH api_key USING INDEX .*\(hash=\?\)$/,
  )
})

test('what cannot be a key is refused by its own checksum, and nothing is looked for', async (t) => {
  const watched = await startWatched(t)
  const { key } = generateKey('svc')
  watched.asked.length = 0
  for (const one of [key.slice(0, -1), `${key}x`, key.toLowerCase(), 'svc_live_', 'x']) {
    assert.equal(await listModels(watched, one), 401)
  }
  assert.deepEqual(watched.asked, [])
})

/** So a look-up that took longer the more of a hash it met would tell nothing about the key. */
test('keys that share all but one character have hashes that share nothing', () => {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
  for (let made = 0; made < 100; made += 1) {
    const { key, hash } = generateKey('svc')
    assert.ok(isWellFormedKey('svc', key))
    for (const digit of digits) {
      const near = key.slice(0, 45) + digit + key.slice(46)
      if (near === key) continue
      // Eight hexadecimal digits in common by chance: once in a million runs.
      assert.notEqual(hashKey(near).slice(0, 8), hash.slice(0, 8))
    }
  }
})
