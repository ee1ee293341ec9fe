import { Client } from 'pg'
import { migrate } from '#platform/store/index.ts'
import { openPostgresStore } from '#platform/store/postgres-store.ts'
import type { Report } from '../report.ts'
import { formatCount } from '../statistics.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import { measureClosing, type Closing } from './measure-closing.ts'
import { measureTimes, type Times } from './measure-times.ts'
import { describeScans, type Count } from './counters.ts'
import { fill } from './fill.ts'
import { countReads, explainCalls, type Counted, type Database, type Explained } from './prove.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { openServer, type Server } from './server.ts'

const ACCOUNTS = 100_000
export const MOST_RECEIPTS = 10_000_000

interface Step {
  readonly receipts: number
  readonly fillS: number
  readonly bytes: number
  readonly counted: Counted
  readonly explained: Explained
  readonly times: Times
  readonly closing: Closing
}

/** What requests and lists cost as the tables grow, on one PostgreSQL. */
export async function runGrowthBench(mostReceipts: number): Promise<Report> {
  const server = await openServer()
  try {
    const steps: Step[] = []
    for (let receipts = 10_000; receipts <= mostReceipts; receipts *= 10) {
      const step = await takeStep(server, receipts)
      steps.push(step)
      console.log(`${formatCount(receipts)} receipts: ${JSON.stringify(step)}\n`)
    }
    return writeReport(steps)
  } finally {
    await server.close()
  }
}

async function takeStep(server: Server, receipts: number): Promise<Step> {
  const directory = createTemporaryDirectory()
  const url = await server.createDatabase(`parley_growth_${receipts}`)
  const database: Database = { url, accounts: ACCOUNTS, directory }
  try {
    const startedMs = performance.now()
    await prepare(database, receipts)
    const fillS = (performance.now() - startedMs) / 1000
    const counted = await countReads(database)
    const explained = await explainCalls(database)
    return {
      receipts,
      fillS,
      bytes: await sizeOf(url),
      counted,
      explained,
      times: await measureTimes(database),
      closing: await measureClosing(database),
    }
  } finally {
    // Before the next one, for the disk's sake.
    await server.dropDatabase(url)
    removeDirectory(directory)
  }
}

async function prepare({ url, directory, accounts }: Database, receipts: number): Promise<void> {
  const store = await openPostgresStore(url, directory)
  await migrate(store, MIGRATIONS)
  await store.close()
  const client = new Client({ connectionString: url })
  await client.connect()
  await fill(client, { accounts, receipts }, Date.now())
  await client.end()
}

async function sizeOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  await client.end()
  return Number(rows[0]?.bytes)
}

function writeReport(steps: readonly Step[]): Report {
  return {
    title: 'growth: requests and lists as the tables grow',
    tables: [
      {
        columns: [
          'receipts',
          'on disk, GB',
          '1 at once, p50 ms',
          'p99 ms',
          '64 at once, p50 ms',
          'p99 ms',
          'rows read a request',
          'of them by scanning',
        ],
        rows: steps.map(writeStep),
      },
      {
        columns: ['list, p50 ms', ...steps.map(({ receipts }) => formatCount(receipts))],
        rows: Object.keys(steps[0]?.times.listsMs ?? {}).map((name) => [
          name,
          ...steps.map(({ times }) => (times.listsMs[name] ?? NaN).toFixed(2)),
        ]),
      },
      {
        columns: [
          'closing a month',
          'its receipts',
          'verifying first, s',
          'closing, s',
          'longest charge meanwhile, ms',
          'longest before, ms',
        ],
        rows: steps.map(({ receipts, closing }) => writeClosing(receipts, closing)),
      },
    ],
    notes: [
      `${formatCount(ACCOUNTS)} accounts; receipts spread over 24 months. A round trip is an admission and ` +
        'the charge that ends it. PostgreSQL and its client share the machine; it does not wait for the disk.',
      `Each statement was explained by the database as it ran, those within functions too: ` +
        `${steps.map(({ explained }) => explained.statements).join(', ')} different ones.`,
    ],
    problems: steps.flatMap(findProblems),
  }
}

function writeStep({ receipts, bytes, times, counted }: Step): string[] {
  return [
    formatCount(receipts),
    (bytes / 1e9).toFixed(1),
    ...[times.oneMs, times.manyMs].flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]),
    (sumOf(counted.ofRequests, 'rows') / counted.requests).toFixed(1),
    String(sumOf([...counted.ofRequests, ...counted.ofLists], 'scannedRows')),
  ]
}

function writeClosing(receipts: number, closing: Closing): string[] {
  return [
    `of ${formatCount(receipts)}`,
    formatCount(closing.receipts),
    closing.verifyS.toFixed(1),
    closing.closeS.toFixed(1),
    closing.longestMs.toFixed(0),
    closing.longestBeforeMs.toFixed(0),
  ]
}

function sumOf(counts: readonly Count[], figure: 'rows' | 'scannedRows'): number {
  return counts.reduce((sum, count) => sum + count[figure], 0)
}

function findProblems({ receipts, counted, explained, closing }: Step): string[] {
  const found = [
    ...describeScans([...counted.ofRequests, ...counted.ofLists]),
    ...explained.scans,
    ...closing.problems,
  ]
  return found.map((problem) => `at ${formatCount(receipts)} receipts ${problem}`)
}
