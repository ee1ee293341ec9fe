import { sql, type Kysely } from 'kysely'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { withTables, type PostgresStore } from '#platform/store/index.ts'
import type { LedgerTables } from './tables.ts'
import { verifyBooks } from './verify.ts'

/** What keeps the tables of the books in order on PostgreSQL, at the start and once a day. */
export interface Upkeep {
  /** Makes the partitions of the months to come; then closes old months, which the start need not wait for. */
  begin(): Promise<void>
  /** Resolves when nothing of it is under way. */
  idle(): Promise<void>
  close(): void
}

export interface UpkeepOptions {
  readonly store: PostgresStore
  readonly log: Log
  /** How many whole months before the current one keep their receipts; undefined keeps them all. */
  readonly retentionMonths: number | undefined
}

const EVERY_MS = 86_400_000

/** From the month before this one, so that a clock that is behind finds its place. */
const MAKE_PARTITIONS = sql`select make_partitions((now() at time zone 'utc' - interval '1 month')::date, 4)`

export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { store, log } = options
  let closed = false
  let closing: Promise<void> = Promise.resolve()

  async function makePartitions(): Promise<void> {
    try {
      await MAKE_PARTITIONS.execute(store.upkeep)
    } catch (error) {
      // Rows find their place all the same: in the partition for others.
      const fields = { error: describeError(error) }
      log.error(fields, 'the partitions of the months to come are not made')
    }
  }

  async function closeMonths(): Promise<void> {
    try {
      await closeOldMonths(options, () => closed)
    } catch (error) {
      // Whoever stops the service breaks it off: nothing is lost, and it is done at the next start.
      if (!closed) log.error({ error: describeError(error) }, 'old months are not closed')
    }
  }

  async function begin(): Promise<void> {
    await makePartitions()
    closing = closing.then(closeMonths)
  }

  const timer = setInterval(() => void begin(), EVERY_MS)
  timer.unref()
  return {
    begin,
    idle: () => closing,
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

/** The oldest first, each as a transaction of its own. */
async function closeOldMonths(options: UpkeepOptions, isOver: () => boolean): Promise<void> {
  const { store, log, retentionMonths } = options
  if (retentionMonths === undefined) return
  const db = withTables<LedgerTables>(store.upkeep)
  let isVerified = false
  while (!isOver()) {
    const next = await findNextMonth(db, retentionMonths)
    if (next === null) return
    // With the receipts goes what could show why books do not add up.
    isVerified ||= await doBooksAddUp(db, log)
    if (!isVerified) return
    const startedMs = performance.now()
    const closed = await closeMonth(db, next)
    // Another replica is at it.
    if (!closed) return
    const tookMs = Math.round(performance.now() - startedMs)
    log.info({ ...closed, took_ms: tookMs }, 'closed a month: its receipts are deleted')
  }
}

async function findNextMonth(db: Kysely<LedgerTables>, monthsKept: number): Promise<string | null> {
  const { rows } = await sql<{ month: string | null }>`
    select next_month_to_close(${monthsKept}::int)::text as month
  `.execute(db)
  return rows[0]?.month ?? null
}

/** Null where another replica is at it, or was quicker. */
async function closeMonth(
  db: Kysely<LedgerTables>,
  firstDay: string,
): Promise<{ readonly month: string; readonly receipts: number } | null> {
  const { rows } = await sql<{ closed: { month: string; receipts: number } | null }>`
    select close_month(${firstDay}::date) as closed
  `.execute(db)
  return rows[0]?.closed ?? null
}

async function doBooksAddUp(db: Kysely<LedgerTables>, log: Log): Promise<boolean> {
  const { ok, discrepancies } = await verifyBooks(db)
  const fields = { discrepancies: discrepancies.length, first: discrepancies[0] }
  if (!ok) log.error(fields, 'old months are not closed: the books do not add up')
  return ok
}
