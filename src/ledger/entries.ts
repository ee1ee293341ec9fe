import { sql, type Kysely, type RawBuilder } from 'kysely'
import { utcDay } from '#platform/clock.ts'
import type { Engine } from '#platform/store/index.ts'
import { BOOKS, type LedgerTables, type TransferKind, type TransferTable } from './tables.ts'

/** One line of the books as bookkeepers read them: a transfer, or what all requests of a day cost. */
export interface Entry {
  readonly reference: string
  readonly kind: Exclude<TransferKind, 'charge' | 'write_off'> | 'charges' | 'write_offs'
  readonly debit: string
  readonly credit: string
  /** A day's sum over all accounts may be beyond what a number is exact for. */
  readonly amount: bigint
  readonly atMs: number
}

/** Where a page ended. */
export interface EntryPlace {
  readonly atMs: number
  readonly reference: string
}

export interface EntryPage {
  /** UTC days, both included. */
  readonly fromDay: string
  readonly toDay: string
  readonly after: EntryPlace | undefined
  readonly limit: number
}

const DAY_MS = 86_400_000

/**
 * Entries in the order of their times, a day's sums being of its last millisecond.
 *
 * Charges are never read one by one: transfers that are none are found by an index that has them alone,
 * and a day's sums come of `account_day` by the index of its days. So a page costs its own rows, and
 * for each day in it one row for each brand and key that was used on it, however many requests there
 * were; a day is summed up once, or twice where a page ends in it.
 */
export async function selectEntries(
  db: Kysely<LedgerTables>,
  engine: Engine,
  page: EntryPage,
): Promise<Entry[]> {
  const transfers = await writeTransferQuery(engine, page).execute(db)
  const rows = transfers.rows.map(readTransfer)
  // A page that is full without them has no use for the days after it.
  const last = rows.length < page.limit ? undefined : rows.at(-1)
  const toDay = last && utcDay(last.atMs) < page.toDay ? utcDay(last.atMs) : page.toDay
  const days = await selectDays(db, { ...page, toDay })
  return [...rows, ...days].toSorted(compareEntries).slice(0, page.limit)
}

/** For tests too, which ask the engines how they find the rows. */
export function writeTransferQuery(
  engine: Engine,
  { fromDay, toDay, after, limit }: EntryPage,
): RawBuilder<TransferTable> {
  const place = after
    ? sql`and (created_at, reference) > (${after.atMs}, ${after.reference})`
    : sql``
  return sql<TransferTable>`
    select reference, debit, credit, amount_nano, kind, created_at from ${SOURCES[engine]}
    and kind not in ('charge', 'write_off')
    and created_at >= ${Date.parse(fromDay)} and created_at < ${Date.parse(toDay) + DAY_MS} ${place}
    order by created_at, reference limit ${limit}`
}

/** What has the references of requests is left out, so that the partitions of charges are not opened. */
const SOURCES: Record<Engine, RawBuilder<unknown>> = {
  sqlite: sql`transfer indexed by entry_by_time where true`,
  postgres: sql`transfer where (reference < 'charge:' or (reference >= 'charge;' and reference < 'write_off:')
    or reference >= 'write_off;')`,
}

async function selectDays(
  db: Kysely<LedgerTables>,
  { fromDay, toDay, after, limit }: EntryPage,
): Promise<Entry[]> {
  const afterDay = after ? utcDay(after.atMs) : fromDay
  const { rows } = await sql<{ day: string; charged: string; written_off: string }>`
    select day, cast(sum(charged_nano) as text) as charged,
      cast(sum(written_off_nano) as text) as written_off
    from account_day
    where day >= ${afterDay > fromDay ? afterDay : fromDay} and day <= ${toDay}
    group by day having sum(charged_nano) > 0 or sum(written_off_nano) > 0
    order by day limit ${limit + 1}`.execute(db)
  return rows.flatMap(readDay).filter((entry) => !after || compareEntries(entry, after) > 0)
}

function readDay(row: { day: string; charged: string; written_off: string }): Entry[] {
  const { day, charged, written_off: writtenOff } = row
  const shared = { credit: BOOKS.revenue, atMs: Date.parse(day) + DAY_MS - 1 }
  const entries: Entry[] = [
    {
      ...shared,
      kind: 'charges',
      reference: `day:${day}:charges`,
      debit: 'accounts',
      amount: BigInt(charged),
    },
    {
      ...shared,
      kind: 'write_offs',
      reference: `day:${day}:write_offs`,
      debit: BOOKS.writtenOff,
      amount: BigInt(writtenOff),
    },
  ]
  return entries.filter(({ amount }) => amount > 0n)
}

function readTransfer(row: TransferTable): Entry {
  return {
    reference: row.reference,
    // The query leaves out the two others.
    kind: row.kind as Entry['kind'],
    debit: row.debit,
    credit: row.credit,
    amount: BigInt(row.amount_nano),
    atMs: row.created_at,
  }
}

/** As both engines order them: references by their bytes. */
export function compareEntries(one: EntryPlace, other: EntryPlace): number {
  return (
    one.atMs - other.atMs ||
    Buffer.compare(Buffer.from(one.reference), Buffer.from(other.reference))
  )
}
