import { createPostgresGate, type Gate } from '#gate/index.ts'
import { createLog } from '#platform/log.ts'
import { migrate, openStore, type PostgresStore, type Store } from '#platform/store/index.ts'
import { sql } from 'kysely'
import { MIGRATIONS } from '../../src/tables.ts'
import { createRandom } from '../../test/support/random.ts'
import { startPostgres } from '../../test/support/postgres/index.ts'
import type { Report } from '../report.ts'
import { formatCount, quantile } from '../statistics.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import { createWitness, type Witness } from './witness.ts'

const ACCOUNTS = 100_000
const REPLICAS = [1, 2, 4, 8]
const REQUESTS = 20_000
/** Arrivals come in bursts: so many at once, then a pause of this mean. */
const BURST = { min: 1, max: 120, pauseMs: 40 }
/** A few accounts call most: with this chance a request is one of theirs. */
const BUSY = { share: 0.3, accounts: 50 }
/** A reply takes this long, and its hold lasts as long. */
const REPLY_MS = { min: 5, max: 60 }
const COST_NANO = 400_000_000
const TOKENS = 900

/**
 * Gates of several replicas on one PostgreSQL, with bursts of requests from a hundred thousand accounts
 * whose balances and limits are tight, so that many must be refused. What each gate says is held
 * against a witness, who knows only what they have said.
 */
export async function runScaleBench(): Promise<Report> {
  const directory = createTemporaryDirectory()
  const postgres = await startPostgres()
  try {
    const rows: string[][] = []
    const problems: string[] = []
    for (const replicas of REPLICAS) {
      const run = await simulate(
        await postgres.createDatabase(),
        `${directory}/${replicas}`,
        replicas,
      )
      rows.push(run.row)
      problems.push(...run.problems)
    }
    return {
      title: `Admission with ${formatCount(ACCOUNTS)} accounts and bursts`,
      tables: [
        {
          columns: [
            'replicas',
            'requests',
            'admitted',
            'errors',
            'admissions/s',
            'p50 ms',
            'p99 ms',
            'p99.9 ms',
          ],
          rows,
        },
      ],
      notes: [
        `Bursts of up to ${BURST.max} requests, ${Math.round(100 * BUSY.share)} % of them from ` +
          `${BUSY.accounts} accounts; the gates share one process and the machine with PostgreSQL. ` +
          'The times are from asking a gate to its answer: the hold’s tail.',
      ],
      problems,
    }
  } finally {
    await postgres.close()
    removeDirectory(directory)
  }
}

interface Run {
  readonly row: string[]
  readonly problems: readonly string[]
}

async function simulate(databaseUrl: string, directory: string, replicas: number): Promise<Run> {
  const stores = await Promise.all(
    Array.from({ length: replicas }, (_, place) =>
      openStore({ databaseUrl, dataDir: `${directory}-${place}` }),
    ),
  )
  const [first] = stores as [Store]
  await migrate(first, MIGRATIONS)
  await fill(first)
  const gates = stores.map((store) =>
    createPostgresGate({ store: store as PostgresStore, log: createLog('error') }),
  )
  const witness = createWitness(balanceOf)
  const timesMs: number[] = []
  const startedMs = performance.now()
  await arrive(gates, witness, timesMs)
  const elapsedMs = performance.now() - startedMs
  const problems = [...witness.problems(), ...(await findLeftovers(first))]
  await Promise.all(gates.map((gate) => gate.close()))
  await Promise.all(stores.map((store) => store.close()))
  const times = [0.5, 0.99, 0.999].map((share) => quantile(timesMs, share).toFixed(1))
  const perSecond = formatCount((1_000 * REQUESTS) / elapsedMs)
  const admitted = formatCount(witness.admitted())
  const errors = String(problems.length)
  return {
    row: [String(replicas), formatCount(REQUESTS), admitted, errors, perSecond, ...times],
    problems: problems.map((problem) => `${replicas} replicas: ${problem}`),
  }
}

/** Some have enough for a few replies at once, some for none. */
function balanceOf(account: number): number {
  return (account % 5) * COST_NANO + (account % 7) * 50_000_000
}

async function fill(store: Store): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(tx)
    const series = `from generate_series(0, ${ACCOUNTS - 1}) n`
    await run(
      `insert into person select 'per_' || n, n || '@example.com', null, 'FREE', 0 ${series}`,
    )
    await run(
      `insert into account select 'acc_' || n, 'per_' || n, n % 3 + 1, null, 0, 0 ${series}`,
    )
    await run(
      `insert into api_key select 'key_' || n, 'acc_' || n, 'k', 'hash-' || n, 'p', 'l', 0, null ${series}`,
    )
    await run(
      `insert into balance select 'acc_' || n, (n % 5)::bigint * ${COST_NANO} + (n % 7) * 50000000,
        0, '', 0, 1 ${series}`,
    )
  })
  await sql`analyze`.execute(store.db)
}

async function arrive(gates: readonly Gate[], witness: Witness, timesMs: number[]): Promise<void> {
  const random = createRandom()
  const underWay: Promise<void>[] = []
  let sent = 0
  while (sent < REQUESTS) {
    const burst = Math.min(REQUESTS - sent, random.between(BURST.min, BURST.max))
    for (let one = 0; one < burst; one += 1) {
      const isBusy = random.between(1, 100) <= 100 * BUSY.share
      const account = random.between(0, (isBusy ? BUSY.accounts : ACCOUNTS) - 1)
      const gate = gates[random.between(0, gates.length - 1)] as Gate
      const replyMs = random.between(REPLY_MS.min, REPLY_MS.max)
      underWay.push(pass(gate, witness, { account, replyMs, requestId: `req-${sent}` }, timesMs))
      sent += 1
    }
    await wait(random.between(0, 2 * BURST.pauseMs))
  }
  await Promise.all(underWay)
}

interface Arrival {
  readonly account: number
  readonly replyMs: number
  readonly requestId: string
}

async function pass(
  gate: Gate,
  witness: Witness,
  { account, replyMs, requestId }: Arrival,
  timesMs: number[],
): Promise<void> {
  const askedMs = performance.now()
  const wanted = { cost: COST_NANO as never, tokens: TOKENS }
  const admission = await gate.admit({ keyHash: `hash-${account}`, requestId, wanted })
  timesMs.push(performance.now() - askedMs)
  witness.saw(account, admission)
  if (admission.kind !== 'admitted') return
  await wait(replyMs)
  witness.ends(account, admission.hold)
  await gate.release(admission.hold)
}

async function findLeftovers(store: Store): Promise<string[]> {
  const { rows } = await sql<{ held: number; holds: number }>`
    select coalesce(sum(held_nano), 0) as held, (select count(*) from gate_hold) as holds
    from gate_account`.execute(store.db)
  const [{ held, holds } = { held: NaN, holds: NaN }] = rows
  return held === 0 && holds === 0 ? [] : [`${held} is held by ${holds} holds when all is over`]
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
