import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetch, type Agent, type Response } from 'undici'
import { findFreePort, startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream/index.ts'
import { startPostgres } from '../support/postgres/index.ts'
import { startNginx, type Nginx } from './start-nginx.ts'

/** Two replicas on a real PostgreSQL behind a real nginx, each in its own process. */
export interface ProxiedFleet {
  readonly upstream: FakeUpstream
  readonly nginx: Nginx
  readonly replicas: [ChildService, ChildService]
  /** Calls through nginx. */
  call(path: string, init?: Init): Promise<Response>
  /** Starts a replica that has ended, where it was. */
  restart(index: 0 | 1): Promise<void>
  close(): Promise<void>
}

export interface Init {
  readonly method?: string
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly agent?: Agent
}

/** Shorter than in the files that are shipped: how long a replica gets nothing after it failed. */
export const FAIL_TIMEOUT_S = 3
/** Long enough for nginx to hear that a replica drains, and less than the time above. */
export const DRAIN_DELAY_MS = 2_000

export async function startProxiedFleet(): Promise<ProxiedFleet> {
  const home = mkdtempSync(join(tmpdir(), 'parley-proxied-'))
  const [postgres, upstream] = await Promise.all([startPostgres(), startFakeUpstream()])
  const databaseUrl = await postgres.createDatabase()
  const ports = [await findFreePort(), await findFreePort()] as const
  const port = await findFreePort()
  const start = (index: 0 | 1): Promise<ChildService> =>
    startChildService({
      dataDir: mkdtempSync(join(home, `replica-${index}-`)),
      upstreamUrl: upstream.url,
      port: ports[index],
      env: {
        DATABASE_URL: databaseUrl,
        PARLEY_BASE_URL: `https://127.0.0.1:${port}/v1`,
        PARLEY_TRUSTED_PROXIES: '127.0.0.1',
        PARLEY_DRAIN_DELAY_MS: `${DRAIN_DELAY_MS}`,
      },
    })
  const replicas = await Promise.all([start(0), start(1)])
  const nginx = await startNginx({ port, replicas: ports, failTimeoutS: FAIL_TIMEOUT_S })
  const usual = nginx.agent()
  return {
    upstream,
    nginx,
    replicas,
    call(path, { method = 'GET', key, body, headers, signal, agent = usual } = {}) {
      return fetch(nginx.origin + path, {
        method,
        dispatcher: agent,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    },
    async restart(index) {
      assert.equal(await replicas[index].child.ended, 0)
      replicas[index] = await start(index)
    },
    async close() {
      await nginx.close()
      await Promise.all(replicas.map(({ child }) => child.kill()))
      await upstream.close()
      await postgres.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
