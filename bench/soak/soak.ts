import { join } from 'node:path'
import { openCustomers, type Customers } from '../chat/customers.ts'
import { startChild, type Child } from '../chat/child.ts'
import { startService, type Service } from '../chat/service.ts'
import type { Report } from '../report.ts'
import { formatCount } from '../statistics.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import type { Mixed } from './generate-mix.ts'
import { judgeGrowth, MEASURES, type Growth, type LegSample } from './judge-growth.ts'
import { listProbeArgs, takeSample } from './take-sample.ts'

/** A sample at every 5 %. */
const LEGS = 20
const CONCURRENCY = 64
/** Until caches are full and the compiler has seen the hot path; in addition to what was asked for. */
const WARM_UP = 20_000

interface Rig {
  readonly service: Service
  readonly load: Child
  readonly customers: Customers
  readonly probePath: string
}

interface Leg {
  readonly mixed: Mixed
  readonly sample: LegSample
}

/** So many requests, half of them streams: what the service holds must not grow with them. */
export async function runSoak(requests: number): Promise<Report> {
  const dataDir = createTemporaryDirectory()
  const probePath = join(dataDir, 'probe')
  const upstream = startChild(new URL('../chat/upstream-process.ts', import.meta.url))
  const load = startChild(new URL('./mix-process.ts', import.meta.url))
  let service: Service | undefined
  try {
    const upstreamUrl = await upstream.ask<string>({})
    service = await startService({ dataDir, upstreamUrl, nodeArgs: listProbeArgs(probePath) })
    const customers = await openCustomers(service.origin)
    await load.ask({ origin: service.origin, keys: customers.keys })
    return await soak({ service, load, customers, probePath }, requests)
  } finally {
    await Promise.all([load.stop(), service?.stop(), upstream.stop()])
    removeDirectory(dataDir)
  }
}

async function soak(rig: Rig, requests: number): Promise<Report> {
  const warmUp = await runLeg(rig, WARM_UP)
  console.log(['done', 'a second', ...MEASURES.map(({ name }) => name), 'worst ms'].join(' | '))
  const legs: Leg[] = []
  for (let place = 1; place <= LEGS; place += 1) {
    const leg = await runLeg(rig, Math.round(requests / LEGS))
    legs.push(leg)
    console.log(`${(100 * place) / LEGS} % | ${writeLeg(leg).join(' | ')}`)
  }
  const growths = judgeGrowth(legs.map(({ sample }) => sample))
  const startedMs = performance.now()
  const expected = sumUp([warmUp, ...legs].map(({ mixed }) => mixed))
  const problems = await rig.customers.findProblems(expected)
  const verifiedMs = performance.now() - startedMs
  return writeReport({ legs, growths, problems, verifiedMs, accounts: rig.customers.keys.length })
}

async function runLeg({ service, load, probePath }: Rig, requests: number): Promise<Leg> {
  const beforeMs = service.cpuMs() ?? NaN
  const mixed = await load.ask<Mixed>({ requests, concurrency: CONCURRENCY })
  const cpuMsEach = ((service.cpuMs() ?? NaN) - beforeMs) / requests
  return { mixed, sample: { ...(await takeSample(probePath)), cpuMsEach } }
}

function sumUp(mixes: readonly Mixed[]) {
  const sum = (of: (mixed: Mixed) => number) => mixes.reduce((all, mixed) => all + of(mixed), 0)
  return {
    requests: sum(({ whole, streams }) => whole + streams),
    costNano: sum(({ costNano }) => costNano),
    left: { requests: sum(({ left }) => left), costNano: sum(({ leftCostNano }) => leftCostNano) },
  }
}

function writeLeg({ mixed, sample }: Leg): string[] {
  return [
    formatCount((1000 * countRequests(mixed)) / mixed.elapsedMs),
    ...MEASURES.map(({ of, decimals }) => of(sample).toFixed(decimals)),
    sample.delayMaxMs.toFixed(0),
  ]
}

function countRequests({ whole, streams, left, refused }: Mixed): number {
  return whole + streams + left + refused
}

interface Findings {
  readonly legs: readonly Leg[]
  readonly growths: readonly Growth[]
  readonly problems: readonly string[]
  readonly verifiedMs: number
  readonly accounts: number
}

function writeReport({ legs, growths, problems, verifiedMs, accounts }: Findings): Report {
  const mixes = legs.map(({ mixed }) => mixed)
  const count = (of: (mixed: Mixed) => number) =>
    formatCount(mixes.reduce((all, mixed) => all + of(mixed), 0))
  const grown = growths.filter(({ isFlat }) => !isFlat)
  const minutes = mixes.reduce((all, { elapsedMs }) => all + elapsedMs, 0) / 60_000
  return {
    title: 'soak: what the service holds, from the first quarter to the last',
    tables: [
      {
        columns: ['a quarter', 'first', 'last', 'flat up to'],
        rows: growths.map(({ measure: { name, decimals }, first, last, most }) => [
          name,
          ...[first, last, most].map((figure) => formatFigure(figure, decimals)),
        ]),
      },
    ],
    notes: [
      `${count(countRequests)} requests in ${minutes.toFixed(1)} minutes, ${CONCURRENCY} at once, of ` +
        `${formatCount(accounts)} accounts: ${count(({ whole }) => whole)} whole replies, ` +
        `${count(({ streams }) => streams)} streams, ${count(({ left }) => left)} streams whose ` +
        `client left midway, ${count(({ refused }) => refused)} refused.`,
      ...(problems.length === 0
        ? [
            `The books agree with the replies; adding them up took ${(verifiedMs / 1000).toFixed(1)} s.`,
          ]
        : []),
      grown.length === 0 ? 'Verdict: flat.' : 'Verdict: it grows.',
    ],
    problems: [
      ...problems,
      ...grown.map(({ measure: { name, decimals }, first, last }) => {
        const [from, to] = [first, last].map((figure) => formatFigure(figure, decimals))
        return `${name}: grew from ${from} to ${to}`
      }),
    ],
  }
}

function formatFigure(figure: number, decimals: number): string {
  return Number.isFinite(figure) ? figure.toFixed(decimals) : '–'
}
