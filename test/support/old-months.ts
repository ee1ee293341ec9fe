import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { createUpkeep } from '#ledger/upkeep.ts'
import type { LedgerTables } from '#ledger/index.ts'
import type { Log } from '#platform/log.ts'
import { nano } from '#platform/money.ts'
import { withTables, type PostgresStore } from '#platform/store/index.ts'
import { makeCharge, openLedger, type OpenLedger } from './open-ledger.ts'

/** Books on PostgreSQL with receipts of this month and of so many before it. */
export const MONTHS_BEFORE = 5

export interface OldMonths {
  readonly books: OpenLedger<'postgres'>
  /** Request ids of account "a" by how many months ago they were made, the earliest first. */
  readonly ids: ReadonlyMap<number, readonly string[]>
  /** Made in the last minute of the fourth month before this one, charged on the first day after it. */
  readonly late: string
  /** Closes what is older than so many months, as the service does at its start. Answers what it logs. */
  close(retentionMonths: number, store?: PostgresStore): Promise<string[]>
  /** The whole of a table, in a stable order, to be compared. */
  rowsOf(table: keyof LedgerTables): Promise<string[]>
}

/** The instant so many months ago, on this day of the month; by the clock that the database has. */
export function monthsAgo(months: number, day = 10): number {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, 12)
}

/** The month so many months ago, as "2026-11". */
export function monthName(months: number): string {
  return new Date(monthsAgo(months)).toISOString().slice(0, 7)
}

/** A request id as it would have been made then. */
export function idOf(atMs: number): string {
  return `req_${v7({ msecs: atMs }).replaceAll('-', '')}`
}

/** "a" has enough, "poor" has not: some of its cost is written off; "idle" is never charged. */
export async function openOldMonths(t: TestContext): Promise<OldMonths> {
  const books = await openLedger(t, 'postgres')
  const { clock, charge, open, store } = books
  const first = new Date(monthsAgo(MONTHS_BEFORE, 1)).toISOString().slice(0, 10)
  await sql`select make_partitions(${first}::date, ${MONTHS_BEFORE + 3}::int)`.execute(store.db)
  clock.set(monthsAgo(MONTHS_BEFORE, 1))
  await open('a', 1_000_000)
  await open('poor', 350)
  await open('idle', 50)
  const ids = new Map<number, string[]>()
  const late = idOf(Date.UTC(...partsOf(MONTHS_BEFORE - 2)) - 60_000)
  for (let months = MONTHS_BEFORE; months >= 0; months -= 1) {
    if (months === MONTHS_BEFORE - 2) {
      clock.set(monthsAgo(months, 1))
      await charge(makeCharge('a', late, { cost: nano(7) }))
    }
    const made: string[] = []
    for (const day of [3, 3, 10]) {
      clock.set(months === 0 ? Date.now() : monthsAgo(months, day))
      const id = idOf(clock.nowMs())
      await charge(makeCharge('a', id, { brand: day === 3 ? 'air' : 'nova' }))
      await charge(makeCharge('poor', idOf(clock.nowMs())))
      made.push(id)
    }
    ids.set(months, made)
  }
  return {
    books,
    ids,
    late,
    async close(retentionMonths, of = store) {
      const logged: string[] = []
      const upkeep = createUpkeep({ store: of, log: collectLog(logged), retentionMonths })
      await upkeep.begin()
      await upkeep.idle()
      upkeep.close()
      return logged
    },
    async rowsOf(table) {
      const { rows } = await sql<{ row: string }>`
        select r::text as row from ${sql.table(table)} r order by r::text collate "C"
      `.execute(withTables<LedgerTables>(store.db))
      return rows.map(({ row }) => row)
    },
  }
}

function partsOf(months: number): [number, number] {
  const start = new Date(monthsAgo(months, 1))
  return [start.getUTCFullYear(), start.getUTCMonth()]
}

function collectLog(logged: string[]): Log {
  const write = (fields: object, sentence: string): void => {
    logged.push(`${sentence} ${JSON.stringify(fields)}`)
  }
  return { debug: write, info: write, warn: write, error: write }
}
