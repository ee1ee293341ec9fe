import type { Client } from 'pg'

/** What PostgreSQL has counted of a table, its partitions and their indexes taken together. */
export interface Count {
  readonly table: string
  /** Rows read by going through a table from one end to the other. */
  readonly scannedRows: number
  /** Rows read by whatever way. */
  readonly rows: number
}

/**
 * The tables that grow with requests or with accounts. Of the others, `gate_hold` has a row for each
 * request under way, and what is read of it is as little.
 */
const GROWING = [
  'person',
  'account',
  'api_key',
  'audit',
  'balance',
  'receipt',
  'transfer',
  'account_day',
  'gate_account',
]

const COUNTS = `
  select coalesce(p.relname, t.relname) as table, sum(t.seq_tup_read)::float8 as "scannedRows",
    sum(t.seq_tup_read + coalesce(x.read, 0))::float8 as rows
  from pg_stat_user_tables t
  left join pg_inherits i on i.inhrelid = t.relid
  left join pg_class p on p.oid = i.inhparent
  left join (select relid, sum(idx_tup_read) as read from pg_stat_user_indexes group by relid) x on x.relid = t.relid
  where coalesce(p.relname, t.relname) = any ($1)
  group by 1 order by 1`

export async function readCounts(client: Client): Promise<Count[]> {
  return (await client.query<Count>(COUNTS, [GROWING])).rows
}

/** What was counted between the two. */
export function subtractCounts(after: readonly Count[], before: readonly Count[]): Count[] {
  return after.map(({ table, scannedRows, rows }) => {
    const earlier = before.find((one) => one.table === table)
    return {
      table,
      scannedRows: scannedRows - (earlier?.scannedRows ?? 0),
      rows: rows - (earlier?.rows ?? 0),
    }
  })
}

/** Sentences on tables of which more than an empty partition was read from one end to the other. */
export function describeScans(counts: readonly Count[]): string[] {
  return counts
    .filter(({ scannedRows }) => scannedRows > 0)
    .map(({ table, scannedRows }) => `${scannedRows} rows of ${table} were read by scanning it`)
}

export function isGrowing(relation: string): boolean {
  return GROWING.some((table) => relation === table || relation.startsWith(`${table}_`))
}
