import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { listReceipts, startChildService, type ChildService } from '../support/child-service.ts'
import { startPostgres } from '../support/postgres/index.ts'
import { ask, eventually, verifyBooks, viewAccount } from './fleet.ts'

const REPLICAS = 3
const CUT_OFF_MS = 30_000
/** What a request may wait for at most on a replica that cannot reach the database. */
const REFUSED_WITHIN_MS = 6_000
/** An address of the database alone, so that it can be cut off and nothing else. */
const DATABASE = '10.213.0.1'
const NETWORK = '10.213.0.0/16'

interface Island {
  readonly within: readonly string[]
  readonly address: string
  cutOff(): void
  reconnect(): void
}

test('a replica that is cut off from the database for 30 s refuses, loses nothing and comes back', async (t) => {
  const islands = makeIslands(t)
  if (typeof islands === 'string') return t.skip(islands)
  const postgres = await startPostgres({ alsoAt: { address: DATABASE, network: NETWORK } })
  t.after(() => postgres.close())
  const databaseUrl = (await postgres.createDatabase()).replace('127.0.0.1', DATABASE)
  const replicas = await Promise.all(islands.map((island) => startOn(t, island, databaseUrl)))
  const [cut, ...others] = replicas as [ChildService, ...ChildService[]]
  const { accountId, key } = await cut.openAccount('anna')
  for (const replica of replicas) assert.equal((await ask(replica, key)).status, 200)

  islands[0]?.cutOff()
  const cutAtMs = performance.now()
  let ended = REPLICAS
  let refused = 0
  while (performance.now() - cutAtMs < CUT_OFF_MS) {
    const askedAtMs = performance.now()
    const answer = await ask(cut, key)
    assert.equal(answer.status, 503)
    assert.ok(performance.now() - askedAtMs < REFUSED_WITHIN_MS, 'the refusal took too long')
    refused += 1
    for (const replica of others) {
      assert.equal((await ask(replica, key)).status, 200)
      ended += 1
    }
    await delay(250)
  }
  assert.ok(refused > 20, `only ${refused} requests were refused: each waited for long`)
  islands[0]?.reconnect()
  const back = await eventually(
    15_000,
    () => ask(cut, key),
    ({ status }) => status === 200,
  )
  assert.equal(back.status, 200)
  for (const replica of replicas) {
    assert.equal((await listReceipts(replica, accountId)).length, ended + 1)
    assert.equal(Number((await viewAccount(replica, accountId)).held_eur), 0)
    await verifyBooks(replica)
  }
})

async function startOn(t: TestContext, island: Island, databaseUrl: string): Promise<ChildService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-island-'))
  const service = await startChildService({
    dataDir,
    env: { DATABASE_URL: databaseUrl },
    place: island,
  })
  t.after(async () => {
    await service.child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return service
}

/** A network namespace for each replica; the reason where this machine lets us have none. */
function makeIslands(t: TestContext): Island[] | string {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  try {
    ip('addr', 'add', `${DATABASE}/32`, 'dev', 'lo')
    t.after(() => ip('addr', 'del', `${DATABASE}/32`, 'dev', 'lo'))
    return Array.from({ length: REPLICAS }, (_, index) => makeIsland(t, index + 1))
  } catch (error) {
    return `this machine lets us make no network namespaces: ${(error as Error).message}`
  }
}

function makeIsland(t: TestContext, number: number): Island {
  const name = `parley-${number}`
  const [here, there] = [`10.213.${number}.1`, `10.213.${number}.2`]
  ip('netns', 'add', name)
  t.after(() => ip('netns', 'del', name))
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('addr', 'add', `${here}/30`, 'dev', name)
  ip('link', 'set', name, 'up')
  const inside = (...args: readonly string[]): void => ip('-n', name, ...args)
  inside('addr', 'add', `${there}/30`, 'dev', 'eth0')
  inside('link', 'set', 'lo', 'up')
  inside('link', 'set', 'eth0', 'up')
  inside('route', 'add', DATABASE, 'via', here)
  return {
    within: ['ip', 'netns', 'exec', name],
    address: there,
    cutOff: () => inside('route', 'replace', 'blackhole', DATABASE),
    reconnect() {
      inside('route', 'del', 'blackhole', DATABASE)
      inside('route', 'add', DATABASE, 'via', here)
    },
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
