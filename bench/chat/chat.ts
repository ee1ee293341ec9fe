import type { Pace, Report } from '../report.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import { startChild, type Child } from './child.ts'
import { openCustomers, type Customers } from './customers.ts'
import type { Load, Loaded, Target } from './generate-load.ts'
import { startService, type Service } from './service.ts'
import { writeChatReport, type Measured, type Round } from './write-chat-report.ts'
import { costOf, WORKLOADS, type Workload } from './workload.ts'

const CONCURRENCIES = [1, 16, 64]
const STARTS = 5

/** Until the compiler has seen the hot path, and every account has been read once. */
const FIRST_WARM_UP_MS = 3_000

interface Rig {
  readonly service: Service
  readonly load: Child
  readonly customers: Customers
  /** What the service should have booked by now. */
  readonly expected: { requests: number; costNano: number }
}

/** What Parley adds to an upstream, and what it costs: each round is run beside a direct one. */
export async function runChatBench(pace: Pace): Promise<Report> {
  const dataDir = createTemporaryDirectory()
  const upstream = startChild(new URL('./upstream-process.ts', import.meta.url))
  const load = startChild(new URL('./load-process.ts', import.meta.url))
  let service: Service | undefined
  try {
    const upstreamUrl = await upstream.ask<string>({})
    service = await startService({ dataDir, upstreamUrl })
    const firstStartMs = service.startMs
    const startsMs: number[] = []
    for (let start = 0; start < STARTS; start += 1) {
      await service.stop()
      service = await startService({ dataDir, upstreamUrl })
      startsMs.push(service.startMs)
    }
    const customers = await openCustomers(service.origin)
    await load.ask({ targets: describeTargets(upstreamUrl, service, customers) })
    const rig: Rig = { service, load, customers, expected: { requests: 0, costNano: 0 } }
    const measured = await measure(rig, pace)
    const residentMiB = service.residentMiB()
    const problems = await customers.findProblems(rig.expected)
    const accounts = customers.keys.length
    return writeChatReport({
      measured,
      firstStartMs,
      startsMs,
      residentMiB,
      accounts,
      requests: rig.expected.requests,
      problems,
    })
  } finally {
    await Promise.all([load.stop(), service?.stop(), upstream.stop()])
    removeDirectory(dataDir)
  }
}

function describeTargets(
  upstreamUrl: string,
  { origin }: Service,
  { keys }: Customers,
): Record<Load['target'], Target> {
  const upstream = new URL(upstreamUrl)
  return {
    direct: { origin: upstream.origin, path: `${upstream.pathname}/chat/completions`, keys: [] },
    parley: { origin, path: '/v1/chat/air', keys },
  }
}

async function measure(rig: Rig, { rounds, roundMs }: Pace): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const workload of WORKLOADS) {
    await runBoth(rig, workload, { concurrency: 64, durationMs: FIRST_WARM_UP_MS, round: 0 })
    for (const concurrency of CONCURRENCIES) {
      await runBoth(rig, workload, { concurrency, durationMs: roundMs / 2, round: 0 })
      const pairs: Round[] = []
      for (let round = 0; round < rounds; round += 1) {
        pairs.push(await runBoth(rig, workload, { concurrency, durationMs: roundMs, round }))
      }
      measured.push({ workload: workload.name, concurrency, rounds: pairs })
    }
  }
  return measured
}

interface Step {
  readonly concurrency: number
  readonly durationMs: number
  /** Who goes first changes from round to round. */
  readonly round: number
}

/** One pair, as close in time as can be: what disturbs the machine disturbs both. */
async function runBoth(rig: Rig, workload: Workload, step: Step): Promise<Round> {
  const { concurrency, durationMs, round } = step
  const load = { workload: workload.name, concurrency, durationMs }
  if (round % 2 === 1) {
    const through = await runThrough(rig, workload, load)
    return { ...through, direct: await rig.load.ask<Loaded>({ ...load, target: 'direct' }) }
  }
  const direct = await rig.load.ask<Loaded>({ ...load, target: 'direct' })
  return { ...(await runThrough(rig, workload, load)), direct }
}

async function runThrough(
  { service, load, expected }: Rig,
  workload: Workload,
  wanted: Omit<Load, 'target'>,
): Promise<Omit<Round, 'direct'>> {
  const cpuBeforeMs = service.cpuMs()
  const parley = await load.ask<Loaded>({ ...wanted, target: 'parley' })
  const cpuAfterMs = service.cpuMs()
  expected.requests += parley.replies
  expected.costNano += parley.replies * costOf(workload)
  const cpuMs =
    cpuBeforeMs === undefined || cpuAfterMs === undefined ? NaN : cpuAfterMs - cpuBeforeMs
  return { parley, cpuMs }
}
