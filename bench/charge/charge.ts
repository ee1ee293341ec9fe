import { join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import { createLog } from '#platform/log.ts'
import type { NanoEuro } from '#platform/money.ts'
import { createId } from '#platform/ids.ts'
import { migrate, openSqliteStore, type SqliteStore } from '#platform/store/index.ts'
import { createLedger, ledgerMigrations, type Charge, type Ledger } from '#ledger/index.ts'
import { measureSyncMs } from '../machine.ts'
import type { Pace, Report } from '../report.ts'
import { formatCount, formatSpread, median, quantile } from '../statistics.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'

const CONCURRENCIES = [1, 64, 512]
const ACCOUNTS = 1_000
const DEPOSIT = 1_000_000_000_000 as NanoEuro
const COST = 806_200 as NanoEuro
const ROUND_TRIPS = 500

interface Bench {
  readonly store: SqliteStore
  readonly ledger: Ledger
  readonly accountIds: readonly string[]
  /** Grow with every charge and every commit. */
  readonly counts: { charges: number; commits: number }
}

interface Round {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly batch: number
}

/** The ledger alone, on the real store: durable charges a second. */
export async function runChargeBench({ rounds, roundMs }: Pace): Promise<Report> {
  const directory = createTemporaryDirectory()
  const store = await openSqliteStore(directory)
  try {
    const bench = await prepare(store, directory)
    const roundTripMs = await measureRoundTripMs(store)
    const rows: string[][] = []
    for (const concurrency of CONCURRENCIES) {
      await charge(bench, concurrency, roundMs / 2)
      const measured: Round[] = []
      for (let round = 0; round < rounds; round += 1) {
        measured.push(await charge(bench, concurrency, roundMs))
      }
      rows.push(writeRow(concurrency, measured))
    }
    return {
      title: 'charge: durable charges',
      tables: [
        { columns: ['at once', 'charges/s', 'spread', 'p50 ms', 'p99 ms', 'in a commit'], rows },
      ],
      notes: [
        `A message to the store's thread and back takes ${roundTripMs.toFixed(3)} ms (p50), one ` +
          `fsync ${measureSyncMs().toFixed(3)} ms: the rest of a charge is SQLite's.`,
      ],
      problems: await findProblems(bench),
    }
  } finally {
    await store.close()
    removeDirectory(directory)
  }
}

async function prepare(real: SqliteStore, directory: string): Promise<Bench> {
  const counts = { charges: 0, commits: 0 }
  const store: SqliteStore = {
    ...real,
    run(procedure, input) {
      counts.commits += 1
      return real.run(procedure, input)
    },
  }
  await migrate(store, [ledgerMigrations])
  const ledger = createLedger({
    store,
    clock: systemClock,
    log: createLog('error'),
    spillPath: join(directory, 'spill.jsonl'),
  })
  const accountIds = Array.from({ length: ACCOUNTS }, () => createId('acc'))
  await store.db.transaction().execute(async (tx) => {
    for (const accountId of accountIds) {
      await ledger.openBalance(tx, accountId)
      const reference = `bench:${accountId}`
      const atMs = systemClock.nowMs()
      await ledger.credit(tx, { accountId, kind: 'deposit', amount: DEPOSIT, reference, atMs })
    }
  })
  return { store, ledger, accountIds, counts }
}

/** An empty transaction writes nothing: what is left is the way there and back. */
async function measureRoundTripMs(store: SqliteStore): Promise<number> {
  const samplesMs: number[] = []
  const url = new URL('./empty-procedure.ts', import.meta.url)
  for (let sample = 0; sample < ROUND_TRIPS; sample += 1) {
    const startedMs = performance.now()
    await store.run({ url }, undefined)
    samplesMs.push(performance.now() - startedMs)
  }
  return median(samplesMs)
}

async function charge(bench: Bench, concurrency: number, roundMs: number): Promise<Round> {
  const { ledger, counts, accountIds } = bench
  const before = { ...counts }
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() - startedMs < roundMs) {
        const accountId = accountIds[counts.charges % ACCOUNTS]!
        counts.charges += 1
        const sentMs = performance.now()
        await ledger.charge(createCharge(accountId))
        latenciesMs.push(performance.now() - sentMs)
      }
    }),
  )
  const elapsedMs = performance.now() - startedMs
  return {
    rate: (1000 * latenciesMs.length) / elapsedMs,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    batch: (counts.charges - before.charges) / (counts.commits - before.commits),
  }
}

function createCharge(accountId: string): Charge {
  return {
    requestId: createId('req'),
    accountId,
    keyId: `key_of_${accountId}`,
    brand: 'air',
    model: 'svc-air-v1',
    promptTokens: 120,
    completionTokens: 250,
    usageSource: 'upstream',
    cost: COST,
    finishReason: 'stop',
    ended: 'completed',
    createdAtMs: systemClock.nowMs(),
    durationMs: 1,
    firstTokenMs: 1,
  }
}

function writeRow(concurrency: number, rounds: readonly Round[]): string[] {
  const rates = rounds.map(({ rate }) => rate)
  return [
    String(concurrency),
    formatCount(median(rates)),
    formatSpread(rates),
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(rounds.map(({ batch }) => batch)).toFixed(0),
  ]
}

async function findProblems({ ledger, accountIds, counts }: Bench): Promise<string[]> {
  const { ok, discrepancies } = await ledger.verify()
  const problems = ok ? [] : [`the books do not add up: ${discrepancies[0]}`]
  const funds = await ledger.funds(accountIds)
  const left = [...funds.values()].reduce((sum, { balance }) => sum + balance, 0)
  const booked = ACCOUNTS * DEPOSIT - left
  const expected = counts.charges * COST
  if (booked !== expected) problems.push(`${booked} was charged in place of ${expected}`)
  return problems
}
