import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../support/child-service.ts'
import type { Scope } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { awaitValue } from '../upstreams/scene.ts'

export interface RunningPrometheus {
  /** What an expression is worth now: the figures of all its series. Throws where it is no expression. */
  query(expression: string): Promise<number[]>
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}

/** A real Prometheus that asks one service every second, under the job that the sample has. */
export async function startPrometheus(
  scope: Scope,
  program: string,
  target: string,
): Promise<RunningPrometheus> {
  const directory = makeTemporaryDirectory(scope)
  const config = join(directory, 'prometheus.yml')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'parley', static_configs: [{ targets: [target] }] }],
    }),
  )
  const address = `127.0.0.1:${await findFreePort()}`
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'tsdb')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'close')
  scope.after(async () => {
    child.kill()
    await ended
  })
  await awaitValue(
    () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isReady) => isReady,
  )
  return {
    async query(expression) {
      const body = new URLSearchParams({ query: expression })
      const reply = await fetch(`http://${address}/api/v1/query`, { method: 'POST', body })
      const { status, error, data } = (await reply.json()) as Answer
      if (status !== 'success' || !data) throw new Error(`${expression}: ${error}`)
      return data.result.map(({ value }) => Number(value[1]))
    },
  }
}
