import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Engine } from '#platform/store/index.ts'
import { compareEntries, type EntryPlace } from './entries.ts'
import type { LedgerTables, TransferKind, TransferTable } from './tables.ts'

/** One line of an account's statement: money in or out, or what all its requests of a UTC day cost. */
export interface Movement {
  readonly kind: Exclude<TransferKind, 'charge' | 'write_off' | 'dispute_lost'> | 'usage'
  readonly reference: string
  /** Below zero where it went out. */
  readonly amount: bigint
  /** Of a day's use: its last millisecond. */
  readonly atMs: number
  /** How many a day's use was; null for what is none. */
  readonly requests: number | null
}

export interface MovementPage {
  /** Where the page before ended. */
  readonly before: EntryPlace | undefined
  readonly limit: number
}

const DAY_MS = 86_400_000

/**
 * Newest first. Charges are never read one by one: transfers that are none are found by indexes that
 * have them alone, and a day's sum comes of `account_day`; so a page costs its own rows.
 */
export async function selectMovements(
  db: Kysely<LedgerTables>,
  engine: Engine,
  accountId: string,
  page: MovementPage,
): Promise<Movement[]> {
  const [into, out, days] = await Promise.all([
    writeMovementQuery(engine, 'credit', accountId, page).execute(db),
    writeMovementQuery(engine, 'debit', accountId, page).execute(db),
    selectDays(db, accountId, page),
  ])
  const movements = [
    ...into.rows.map((row) => readTransfer(row, 1n)),
    ...out.rows.map((row) => readTransfer(row, -1n)),
    ...days,
  ]
  return movements.toSorted((a, b) => compareEntries(b, a)).slice(0, page.limit)
}

/** For tests too, which ask the engines how they find the rows. */
export function writeMovementQuery(
  engine: Engine,
  side: 'debit' | 'credit',
  accountId: string,
  { before, limit }: MovementPage,
): RawBuilder<TransferTable> {
  const place = before
    ? sql`and (created_at, reference) < (${before.atMs}, ${before.reference})`
    : sql``
  return sql<TransferTable>`
    select reference, debit, credit, amount_nano, kind, created_at from ${SOURCES[engine](side)}
    and kind not in ('charge', 'write_off') and ${sql.ref(side)} = ${accountId} ${place}
    order by created_at desc, reference desc limit ${limit}`
}

/** What has the references of requests is left out, so that the partitions of charges are not opened. */
const SOURCES: Record<Engine, (side: 'debit' | 'credit') => RawBuilder<unknown>> = {
  sqlite: (side) => sql`transfer indexed by ${sql.raw(`movement_by_${side}`)} where true`,
  postgres:
    () => sql`transfer where (reference < 'charge:' or (reference >= 'charge;' and reference < 'write_off:')
      or reference >= 'write_off;')`,
}

async function selectDays(
  db: Kysely<LedgerTables>,
  accountId: string,
  { before, limit }: MovementPage,
): Promise<Movement[]> {
  // A day whose last millisecond is the page's end may come after it or not: its reference decides.
  const toDay = before ? sql`and day <= ${new Date(before.atMs).toISOString().slice(0, 10)}` : sql``
  const { rows } = await sql<{ day: string; charged: string; requests: string }>`
    select day, cast(sum(charged_nano) as text) as charged, cast(sum(requests) as text) as requests
    from account_day where account_id = ${accountId} ${toDay}
    group by day having sum(charged_nano) > 0
    order by day desc limit ${limit + 1}`.execute(db)
  return rows
    .map(({ day, charged, requests }): Movement => ({
      kind: 'usage',
      reference: `day:${day}:usage`,
      amount: -BigInt(charged),
      atMs: Date.parse(day) + DAY_MS - 1,
      requests: Number(requests),
    }))
    .filter((movement) => !before || compareEntries(movement, before) < 0)
}

function readTransfer(row: TransferTable, direction: bigint): Movement {
  return {
    // The query leaves out charges, and a dispute that was lost touches no account.
    kind: row.kind as Movement['kind'],
    reference: row.reference,
    amount: direction * BigInt(row.amount_nano),
    atMs: row.created_at,
    requests: null,
  }
}
