import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream/index.ts'
import { startPostgres, type Postgres } from '../support/postgres/index.ts'

/** Several real processes of one service, which share one real PostgreSQL and nothing else. */
export interface Fleet {
  readonly postgres: Postgres
  readonly databaseUrl: string
  readonly upstream: FakeUpstream
  readonly replicas: readonly [ChildService, ...ChildService[]]
  /** Any of them, in turn. */
  next(): ChildService
  /** One more, e.g. in the place of one that was killed. */
  join(): Promise<ChildService>
  close(): Promise<void>
}

/** A fleet for one test; should the test fail, what the replicas have logged is shown. */
export async function withFleet(
  t: TestContext,
  size: number,
  work: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const fleet = await startFleet(size)
  try {
    await work(fleet)
  } catch (error) {
    for (const { child } of fleet.replicas) t.diagnostic(child.stdout.slice(-SHOWN) + child.stderr)
    throw error
  } finally {
    await fleet.close()
  }
}

const SHOWN = 4_000

export async function startFleet(size: number): Promise<Fleet> {
  const home = mkdtempSync(join(tmpdir(), 'parley-fleet-'))
  const [postgres, upstream] = await Promise.all([startPostgres(), startFakeUpstream()])
  const databaseUrl = await postgres.createDatabase()
  let members = 0
  let turn = 0

  async function join_(): Promise<ChildService> {
    members += 1
    const dataDir = mkdtempSync(join(home, `replica-${members}-`))
    const env = { DATABASE_URL: databaseUrl }
    return startChildService({ dataDir, upstreamUrl: upstream.url, env })
  }

  // All at once: they migrate the same empty database.
  const [first, ...others] = await Promise.all(Array.from({ length: size }, join_))
  assert.ok(first)
  const replicas: [ChildService, ...ChildService[]] = [first, ...others]
  return {
    postgres,
    databaseUrl,
    upstream,
    replicas,
    next: () => replicas[turn++ % replicas.length] as ChildService,
    async join() {
      const replica = await join_()
      replicas.push(replica)
      return replica
    },
    async close() {
      await Promise.all(replicas.map(({ child }) => child.kill()))
      await upstream.close()
      await postgres.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | undefined
  readonly requestId: string | null
}

/** One whole reply, or why there is none. Where the connection breaks, the status is 0. */
export async function ask(
  replica: ChildService,
  key: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  try {
    const response = await fetch(`${replica.origin}/v1/chat/air`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 100,
        ...changes,
      }),
    })
    const body = (await response.json()) as {
      readonly error?: { readonly code: string }
      readonly usage?: Answer['usage']
    }
    const requestId = response.headers.get('x-request-id')
    return { status: response.status, code: body.error?.code, usage: body.usage, requestId }
  } catch {
    return { status: 0, code: undefined, usage: undefined, requestId: null }
  }
}

/** What is looked at of an account as the operator sees it. */
export interface AccountView {
  readonly balance_eur: string
  readonly held_eur: string
  readonly spent_today_eur: string
}

export function viewAccount(replica: ChildService, accountId: string): Promise<AccountView> {
  return replica.operate('GET', `/accounts/${accountId}`)
}

export async function verifyBooks(replica: ChildService): Promise<void> {
  const verification = await replica.operate<{ discrepancies: string[] }>('GET', '/ledger/verify')
  assert.deepEqual(verification.discrepancies, [])
}

/** Looks again and again until it is so; fails with what it last was when the time is over. */
export async function eventually<Value>(
  withinMs: number,
  look: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await look()
    if (isSo(value)) return value
    assert.ok(performance.now() < deadline, `after ${withinMs} ms still ${JSON.stringify(value)}`)
    await delay(50)
  }
}
