import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../test/support/postgres/index.ts'
import { openCustomers, openLimited } from '../../chat/customers.ts'
import { startService } from '../../chat/service.ts'
import { readTree } from '../../process-tree.ts'
import type { Contestant, Place, Running } from '../contestant.ts'
import type { UpstreamUrls } from '../upstream-process.ts'
import { USAGE, type ModelName } from '../workloads.ts'

/** The contract's prices, in nano-euros a token: not ours, so that ours are checked. */
const PRICES = {
  air: { input: 260, output: 3_100 },
  prime: { input: 1_800, output: 6_200 },
  nova: { input: 3_200, output: 9_500 },
} as const

export const parley: Contestant = {
  name: 'Parley, SQLite',
  start: (place) => start(place, {}),
}

export const parleyOnPostgres: Contestant = {
  name: 'Parley, PostgreSQL',
  async start(place) {
    const postgres = await startPostgres({ durable: true })
    const running = await start(place, { DATABASE_URL: await postgres.createDatabase() }).catch(
      async (error: unknown) => {
        await postgres.close()
        throw error
      },
    )
    return {
      ...running,
      // The database works for each request, and is counted.
      cpuMs: () => running.cpuMs() + readTree(postgres.pid()).cpuMs,
      async stop() {
        await running.stop()
        await postgres.close()
      },
    }
  },
}

/** As an operator runs it: billed, with the log on and metrics counted. */
async function start(
  { directory, upstreams }: Place,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const config = join(directory, 'parley.yaml')
  writeFileSync(config, writeConfig(upstreams))
  const service = await startService({
    dataDir: directory,
    env: { PARLEY_CONFIG: config, ...env },
  })
  const { origin } = service
  const customers = await openCustomers(origin)
  const limited = await openLimited(origin)
  const headers = customers.keys.map((key) => ({ authorization: `Bearer ${key}` }))
  const ask = (model: ModelName, own: readonly Readonly<Record<string, string>>[]) => ({
    origin,
    path: `/v1/chat/${model}`,
    model,
    headers: own,
  })
  return {
    startMs: service.startMs,
    target: (model) => ask(model, headers),
    refusals: {
      unauthorized: ask('air', [{ authorization: `Bearer svc_live_${'x'.repeat(43)}` }]),
      limited: ask('air', [{ authorization: `Bearer ${limited}` }]),
    },
    cpuMs: () => service.cpuMs() ?? NaN,
    residentMiB: () => service.residentMiB() ?? NaN,
    findProblems(replies) {
      let [requests, costNano] = [0, 0]
      for (const [model, { input, output }] of Object.entries(PRICES)) {
        const count = replies[model as ModelName]
        requests += count
        costNano += count * (USAGE.promptTokens * input + USAGE.completionTokens * output)
      }
      return customers.findProblems({ requests, costNano, limited: 1 })
    },
    stop: () => service.stop(),
  }
}

function writeConfig(upstreams: UpstreamUrls): string {
  const models = Object.entries(upstreams).map(([model, url]) => [
    model,
    { upstreams: [{ name: 'bench', kind: 'openai', url, model: 'bench' }] },
  ])
  // What is JSON is YAML.
  return JSON.stringify({ models: Object.fromEntries(models) })
}
