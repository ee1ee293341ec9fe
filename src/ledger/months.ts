import { sql } from 'kysely'
import { withTables, type AnyDatabase, type AnyTransaction } from '#platform/store/index.ts'
import type { LedgerTables } from './tables.ts'

/** Of a key such as "req_019a3b4c…" so many characters tell the time to 2²⁴ ms, under five hours. */
const TIME_LENGTH = 'req_019a3b'.length
const TIME_STEP_MS = 2 ** 24

/** The months whose partitions the receipts of an embedded store belong in, as "2026-11-01". */
export async function findMonths(db: AnyDatabase): Promise<string[]> {
  const { rows } = await sql<{ start: string }>`
    select distinct substr(request_id, 1, ${TIME_LENGTH}) as start from receipt
  `.execute(withTables<LedgerTables>(db))
  const months = rows.flatMap(({ start }) => {
    const [, hex] = /^req_([0-9a-f]{6})$/.exec(start) ?? []
    // Keys of another form have a partition for themselves.
    if (hex === undefined) return []
    const firstMs = parseInt(hex, 16) * TIME_STEP_MS
    return [monthOf(firstMs), monthOf(firstMs + TIME_STEP_MS - 1)]
  })
  return [...new Set(months)].toSorted()
}

/** Makes the partitions of these months, before any row of them is there. PostgreSQL only. */
export async function makePartitions(tx: AnyTransaction, months: readonly string[]): Promise<void> {
  for (const month of months) {
    await sql`select make_partitions(${month}::date, 1)`.execute(withTables<LedgerTables>(tx))
  }
}

function monthOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 7)}-01`
}
