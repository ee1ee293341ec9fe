import type { Report, Table } from '../report.ts'
import { formatCount, formatRange, formatSpread, median } from '../statistics.ts'
import type { Loaded } from './generate-load.ts'
import type { WorkloadName } from './workload.ts'

/** A round direct to the upstream, and one through the service right before or after it. */
export interface Round {
  readonly direct: Loaded
  readonly parley: Loaded
  /** What the service used in its part. */
  readonly cpuMs: number
}

export interface Measured {
  readonly workload: WorkloadName
  readonly concurrency: number
  readonly rounds: readonly Round[]
}

export interface ChatFindings {
  readonly measured: readonly Measured[]
  readonly firstStartMs: number
  readonly startsMs: readonly number[]
  readonly residentMiB: number | undefined
  readonly accounts: number
  readonly requests: number
  readonly problems: readonly string[]
}

export function writeChatReport(findings: ChatFindings): Report {
  const { measured, firstStartMs, startsMs, residentMiB, accounts, requests } = findings
  const added = measured.filter(({ concurrency }) => concurrency === 1)
  const booked =
    `${formatCount(requests)} requests of ${formatCount(accounts)} accounts were answered and ` +
    'charged; each reply was checked, and the books agree with them to the nano-euro.'
  return {
    title: 'chat: direct and through Parley',
    tables: [
      writeThroughput(measured),
      writeLatency(measured),
      writeAdded(added),
      {
        columns: ['the process', 'ms'],
        rows: [
          ['start to listening, new store', firstStartMs.toFixed(0)],
          ['start to listening, known store', formatRange(startsMs, 0)],
        ],
      },
    ],
    notes: [
      ...(residentMiB === undefined ? [] : [`Resident at the end: ${residentMiB.toFixed(0)} MiB.`]),
      ...(findings.problems.length === 0 ? [booked] : []),
    ],
    problems: findings.problems,
  }
}

function writeThroughput(measured: readonly Measured[]): Table {
  return {
    columns: ['reply', 'at once', 'direct/s', 'Parley/s', 'spread', 'share', 'CPU ms each', 'core'],
    rows: measured.map(({ workload, concurrency, rounds }) => {
      const rates = rounds.map(({ parley }) => rateOf(parley))
      const shares = rounds.map(({ parley, direct }) => rateOf(parley) / rateOf(direct))
      const cpusMs = rounds.map(({ parley, cpuMs }) => cpuMs / parley.replies)
      const loads = rounds.map(({ parley, cpuMs }) => cpuMs / parley.elapsedMs)
      return [
        workload,
        String(concurrency),
        formatCount(median(rounds.map(({ direct }) => rateOf(direct)))),
        formatCount(median(rates)),
        formatSpread(rates),
        formatPercent(median(shares)),
        formatFigure(median(cpusMs), 3),
        formatPercent(median(loads)),
      ]
    }),
  }
}

function writeLatency(measured: readonly Measured[]): Table {
  const pick = (rounds: readonly Round[], of: (round: Round) => number) =>
    median(rounds.map(of)).toFixed(2)
  return {
    columns: ['reply, ms', 'at once', 'direct p50', 'p99', 'Parley p50', 'p99', 'first byte p50'],
    rows: measured.map(({ workload, concurrency, rounds }) => [
      workload,
      String(concurrency),
      pick(rounds, ({ direct }) => direct.p50Ms),
      pick(rounds, ({ direct }) => direct.p99Ms),
      pick(rounds, ({ parley }) => parley.p50Ms),
      pick(rounds, ({ parley }) => parley.p99Ms),
      pick(rounds, ({ parley }) => parley.firstByteP50Ms),
    ]),
  }
}

/** Differences within each pair, then their median. */
function writeAdded(measured: readonly Measured[]): Table {
  const difference = (rounds: readonly Round[], of: (loaded: Loaded) => number) =>
    formatRange(
      rounds.map(({ parley, direct }) => of(parley) - of(direct)),
      3,
    )
  return {
    columns: ['added by Parley, one at a time, ms', 'p50', 'p99', 'to the first byte, p50'],
    rows: measured.map(({ workload, rounds }) => [
      workload,
      difference(rounds, ({ p50Ms }) => p50Ms),
      difference(rounds, ({ p99Ms }) => p99Ms),
      difference(rounds, ({ firstByteP50Ms }) => firstByteP50Ms),
    ]),
  }
}

function rateOf({ replies, elapsedMs }: Loaded): number {
  return (1000 * replies) / elapsedMs
}

function formatPercent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.round(100 * share)} %`
}

function formatFigure(value: number, decimals: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(decimals)
}
