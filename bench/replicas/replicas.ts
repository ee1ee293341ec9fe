import { startPostgres, type Postgres } from '../../test/support/postgres/index.ts'
import { startChild, type Child } from '../chat/child.ts'
import { openCustomers, type Customers } from '../chat/customers.ts'
import type { Loaded } from '../chat/generate-load.ts'
import { startService, type Service } from '../chat/service.ts'
import { costOf, findWorkload } from '../chat/workload.ts'
import type { Pace, Report } from '../report.ts'
import { formatCount, median } from '../statistics.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import { readTree } from '../process-tree.ts'

const SIZES = [1, 2, 4]
/** In all, shared by the replicas. */
const CONCURRENCY = 64
const WARM_UP_MS = 3_000
const WORKLOAD = findWorkload('JSON')

interface Rig {
  readonly postgres: Postgres
  readonly start: (name: string) => Promise<Service>
  /** Runs from the beginning to the end; the others come and go. */
  readonly first: Service
  readonly upstreamUrl: string
  readonly customers: Customers
  /** What the replicas should have booked by now. */
  readonly expected: { requests: number; costNano: number }
}

interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time a request, in milliseconds. */
  readonly replicaMs: number
  readonly databaseMs: number
}

/** Replicas on one real, durable PostgreSQL; load, upstream and all of them share this machine. */
export async function runReplicasBench(pace: Pace): Promise<Report> {
  const directory = createTemporaryDirectory()
  const upstream = startChild(new URL('../chat/upstream-process.ts', import.meta.url), {
    pin: false,
  })
  const postgres = await startPostgres({ durable: true })
  let first: Service | undefined
  try {
    const upstreamUrl = await upstream.ask<string>({})
    const env = { DATABASE_URL: await postgres.createDatabase() }
    const start = (name: string): Promise<Service> =>
      startService({ dataDir: `${directory}/${name}`, upstreamUrl, env, pin: false })
    first = await start('first')
    const customers = await openCustomers(first.origin)
    const expected = { requests: 0, costNano: 0 }
    const rig: Rig = { postgres, start, first, upstreamUrl, customers, expected }
    const rows: string[][] = []
    for (const size of SIZES) rows.push(writeRow(size, await measure(rig, size, pace)))
    return {
      title: 'Replicas on one PostgreSQL',
      tables: [
        {
          columns: [
            'replicas',
            'requests/s',
            'p50 ms',
            'p99 ms',
            'CPU ms a request: replica',
            'PostgreSQL',
            'share',
          ],
          rows,
        },
      ],
      notes: [
        `Whole replies of 2 KB, ${CONCURRENCY} at once in all. Nothing is pinned: load, upstream, replicas ` +
          'and database share the cores, so that more replicas cannot be faster here than the machine. ' +
          'What scales is told by the CPU: a core of PostgreSQL carries as many requests a second as its ' +
          'time for one goes into a second.',
      ],
      problems: await customers.findProblems(expected),
    }
  } finally {
    await first?.stop()
    await upstream.stop()
    await postgres.close()
    removeDirectory(directory)
  }
}

async function measure(rig: Rig, size: number, { rounds, roundMs }: Pace): Promise<Round[]> {
  const others = await Promise.all(
    Array.from({ length: size - 1 }, (_, place) => rig.start(`${size}-${place}`)),
  )
  const services = [rig.first, ...others]
  const loads = services.map(() =>
    startChild(new URL('../chat/load-process.ts', import.meta.url), { pin: false }),
  )
  try {
    await Promise.all(loads.map((load, place) => aim(load, services[place] as Service, rig)))
    await runRound(rig, services, loads, WARM_UP_MS)
    const measured: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      measured.push(await runRound(rig, services, loads, roundMs))
    }
    return measured
  } finally {
    await Promise.all([...loads, ...others].map((process_) => process_.stop()))
  }
}

async function aim(
  load: Child,
  { origin }: Service,
  { customers, upstreamUrl }: Rig,
): Promise<void> {
  const parley = { origin, path: '/v1/chat/air', keys: customers.keys }
  await load.ask({ targets: { parley, direct: { ...parley, origin: upstreamUrl } } })
}

async function runRound(
  { postgres, expected }: Rig,
  services: readonly Service[],
  loads: readonly Child[],
  durationMs: number,
): Promise<Round> {
  const concurrency = CONCURRENCY / services.length
  const before = readCpuMs(services, postgres)
  const loaded = await Promise.all(
    loads.map((load) =>
      load.ask<Loaded>({ target: 'parley', workload: WORKLOAD.name, concurrency, durationMs }),
    ),
  )
  const after = readCpuMs(services, postgres)
  const replies = loaded.reduce((sum, one) => sum + one.replies, 0)
  expected.requests += replies
  expected.costNano += replies * costOf(WORKLOAD)
  return {
    perSecond: loaded.reduce((sum, one) => sum + (1_000 * one.replies) / one.elapsedMs, 0),
    p50Ms: median(loaded.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...loaded.map(({ p99Ms }) => p99Ms)),
    replicaMs: (after.replicas - before.replicas) / replies,
    databaseMs: (after.database - before.database) / replies,
  }
}

function readCpuMs(services: readonly Service[], postgres: Postgres) {
  const replicas = services.reduce((sum, service) => sum + (service.cpuMs() ?? NaN), 0)
  return { replicas, database: readTree(postgres.pid()).cpuMs }
}

function writeRow(size: number, rounds: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const share = of(({ replicaMs, databaseMs }) => databaseMs / (replicaMs + databaseMs))
  return [
    String(size),
    formatCount(of(({ perSecond }) => perSecond)),
    of(({ p50Ms }) => p50Ms).toFixed(1),
    of(({ p99Ms }) => p99Ms).toFixed(1),
    of(({ replicaMs }) => replicaMs).toFixed(3),
    of(({ databaseMs }) => databaseMs).toFixed(3),
    `${Math.round(100 * share)} %`,
  ]
}
