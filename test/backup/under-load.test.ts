import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '#platform/store/index.ts'
import { startChild } from '../support/child.ts'
import { listReceipts, startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { createVisitor } from '../support/identity/visitor.ts'
import { createMemoryMailer } from '../support/memory-mailer.ts'
import { startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { PASSWORD } from '../support/postgres/guarded-database.ts'
import {
  environmentOf,
  listFiles,
  makePlace,
  readManifestOf,
  testOnEachStore,
  type Place,
} from './backups.ts'

const SECRET = 'secret-of-a-service-that-is-backed-up'
const EMAIL = 'ana@example.com'
const LANES = 8
/** Of three accounts, whose limit is 500 a minute each. */
const MOST = 1_200

testOnEachStore(
  'a backup under load has every charge that was acknowledged before it began',
  async (t, engine) => {
    const { place, service, accounts, upstreamUrl } = await startFurnished(t, engine)
    const load = runLoad(service, accounts)
    await load.until(60)
    const before = [...load.acknowledged]
    const backups = join(place.dataDir, 'backups')
    const { path, stderr } = await backUp(place, backups)
    const during = load.acknowledged.length - before.length
    const ended = await load.stop()
    assert.ok(during > 0, 'nothing was charged during the backup, so this proves nothing')
    t.diagnostic(`${before.length} charges before, ${during} during, ${ended.length} in all`)

    assert.match(stderr, /^Its books add up \(transfers: \d+, accounts: 4\)\.$/m)
    assert.ok(!stderr.includes(PASSWORD))
    assert.equal(readManifestOf(path)['secret'], 'included')
    assert.ok(!JSON.stringify(readManifestOf(path)).includes(PASSWORD))
    for (const name of listFiles(path)) {
      assert.equal(statSync(join(path, name)).mode & 0o777, 0o600, name)
    }
    assert.deepEqual(
      listFiles(backups).map((name) => join(backups, name)),
      [path],
    )
    await service.child.kill()

    const restored = await restore(t, engine, path)
    const again = await startAt(t, restored, upstreamUrl)
    await assertWhole(again, { accounts, before, ended })
  },
)

interface Account {
  readonly accountId: string
  readonly key: string
}

/** A service of its own process, with a person who can sign in and an account that can pay. */
async function startFurnished(t: TestContext, engine: Engine) {
  const { databaseUrl } = await makePlace(t, engine)
  const place = { dataDir: makeTemporaryDirectory(t), databaseUrl }
  const first = await startService({
    dataDir: place.dataDir,
    ...(databaseUrl === undefined ? { embedded: true } : { databaseUrl }),
    identity: true,
    secret: SECRET,
  })
  await createVisitor(first).signUp(EMAIL)
  await first.close()
  writeFileSync(join(place.dataDir, 'secret'), `${SECRET}\n`)
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play({
    content: 'word word',
    usage: { promptTokens: 20, completionTokens: 2 },
    // Slow enough that the limit of requests a minute is not reached.
    pace: { beforeDeltaMs: 15 },
  })
  const service = await startAt(t, place, upstream.url)
  const accounts = await Promise.all(
    ['one', 'two', 'three'].map((name) => service.openAccount(name)),
  )
  return { place, service, accounts, upstreamUrl: upstream.url }
}

async function startAt(t: TestContext, place: Place, upstreamUrl: string): Promise<ChildService> {
  const service = await startChildService({
    dataDir: place.dataDir,
    upstreamUrl,
    env: { ...environmentOf(place), PARLEY_SECRET: SECRET },
  })
  t.after(() => service.child.kill())
  return service
}

/** Requests side by side, one after the other in each lane, until it is stopped. */
function runLoad({ origin }: ChildService, accounts: readonly Account[]) {
  const acknowledged: string[] = []
  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  const runLane = async (lane: number): Promise<void> => {
    const { key } = accounts[lane % accounts.length] as Account
    while (!stopping.signal.aborted && acknowledged.length < MOST) {
      const { status, requestId } = await ask(origin, key)
      assert.equal(status, 200)
      acknowledged.push(requestId)
      for (const listen of listeners) listen()
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
  return {
    acknowledged,
    async until(count: number): Promise<void> {
      const reached = new Promise<void>((resolve) => {
        listeners.add(() => {
          if (acknowledged.length >= count) resolve()
        })
      })
      await Promise.race([reached, lanes])
    },
    async stop(): Promise<readonly string[]> {
      stopping.abort()
      await lanes
      return acknowledged
    },
  }
}

/** When it resolves, the reply has ended, and so is paid. */
async function ask(origin: string, key: string) {
  const response = await fetch(`${origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 }),
  })
  await response.text()
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' }
}

async function backUp(place: Place, backups: string) {
  const child = startChild('src/cli/parley.ts', ['backup', '--to', backups], {
    cwd: place.dataDir,
    env: environmentOf(place),
  })
  assert.equal(await child.ended, 0, child.stderr)
  return { path: child.stdout.trim(), stderr: child.stderr }
}

async function restore(t: TestContext, engine: Engine, path: string): Promise<Place> {
  const place = await makePlace(t, engine)
  const child = startChild('src/cli/parley.ts', ['restore', path], {
    cwd: path,
    env: environmentOf(place),
  })
  assert.equal(await child.ended, 0, child.stderr)
  assert.match(child.stdout, /^The books add up \(transfers: \d+, accounts: 4\)\.$/m)
  assert.match(child.stderr, /^See that no service runs on .+ any more: /m)
  assert.ok(!(child.stdout + child.stderr).includes(PASSWORD))
  assert.equal(readFileSync(join(place.dataDir, 'secret'), 'utf8'), `${SECRET}\n`)
  return place
}

interface Expected {
  readonly accounts: readonly Account[]
  readonly before: readonly string[]
  readonly ended: readonly string[]
}

async function assertWhole(service: ChildService, { accounts, before, ended }: Expected) {
  const verify = service.operate<{ discrepancies: string[] }>('GET', '/ledger/verify')
  assert.deepEqual((await verify).discrepancies, [])
  const lists = await Promise.all(accounts.map(({ accountId }) => listReceipts(service, accountId)))
  const ids = new Set(lists.flat().map((receipt) => receipt.request_id))
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
  )
  // Of those that came during the backup it may have some, and of no other.
  assert.deepEqual([...ids.difference(new Set(ended))], [])
  const [{ accountId, key } = { accountId: '', key: '' }] = accounts
  const account = service.operate<{ held_eur: string }>('GET', `/accounts/${accountId}`)
  assert.equal((await account).held_eur, '0.00')
  await createVisitor({ origin: service.origin, mailer: createMemoryMailer() }).signIn(EMAIL)
  const requestId = await askWhenOpen(service.origin, key)
  assert.equal((await listReceipts(service, accountId))[0]?.request_id, requestId)
}

/** A database that was filled anew opens its gate after some seconds, lest a replica holds more. */
async function askWhenOpen(origin: string, key: string): Promise<string> {
  for (;;) {
    const { status, requestId } = await ask(origin, key)
    if (status === 200) return requestId
    assert.equal(status, 503)
    await delay(100)
  }
}
