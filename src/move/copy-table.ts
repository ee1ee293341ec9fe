import { sql, type Kysely, type Transaction } from 'kysely'
import { digestRows, type Row } from './digest.ts'
import { MoveRefused } from './move-refused.ts'

export interface TableCopy {
  readonly source: Kysely<object>
  readonly target: Transaction<object>
  readonly table: string
  /** Called with the number of rows of each batch that the target has taken. */
  readonly onCopied: (rows: number) => void
  readonly signal: AbortSignal
}

export interface CopiedTable {
  readonly columns: readonly string[]
  readonly digest: bigint
}

/** A few megabytes of JSON: large enough that round trips cost nothing. */
const BATCH = 4_000

/** Copies every row. The next batch is read while the target takes the last one. */
export async function copyTable(copy: TableCopy): Promise<CopiedTable> {
  const { source, table, onCopied, signal } = copy
  const columns = await readColumns(source, table)
  let digest = 0n
  let reading = readBatch(source, table, columns, 0)
  for (;;) {
    signal.throwIfAborted()
    const rows = await reading
    const last = rows.at(-1)
    if (!last) return { columns, digest }
    reading = readBatch(source, table, columns, last.rowid)
    // Where the target fails first, nobody waits for it any more.
    reading.catch(() => {})
    const inserting = insertRows(copy, columns, rows)
    digest += digestRows(columns, rows)
    await inserting.catch((error: unknown) => {
      throw findUnstorable(table, columns, rows) ?? error
    })
    onCopied(rows.length)
  }
}

type NumberedRow = Row & { readonly rowid: number }

async function readColumns(source: Kysely<object>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) order by cid
  `.execute(source)
  return rows.map(({ name }) => name)
}

async function readBatch(
  source: Kysely<object>,
  table: string,
  columns: readonly string[],
  after: number,
): Promise<NumberedRow[]> {
  const { rows } = await sql<NumberedRow>`
    select rowid as rowid, ${refs(columns)} from ${sql.table(table)}
    where rowid > ${after} order by rowid limit ${sql.lit(BATCH)}
  `.execute(source)
  return rows
}

/** The target's own column types read the values: none is written down a second time here. */
async function insertRows(
  { target, table }: TableCopy,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (${refs(columns)})
    select ${refs(columns)}
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(target)
}

function refs(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)))
}

/** SQLite keeps a text with U+0000 in it, and PostgreSQL does not say in which row it met one. */
function findUnstorable(
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): MoveRefused | undefined {
  for (const row of rows) {
    const column = columns.find((name) => String(row[name]).includes('\0'))
    if (column === undefined) continue
    const key = String(row[columns[0] ?? column]).replaceAll(/\p{Cc}/gu, '�')
    return new MoveRefused(
      `The ${column} of a row of ${table} (${key}) has a character U+0000, which PostgreSQL cannot keep. ` +
        'Nothing was moved: take it out with the tools of SQLite, then run this again.',
    )
  }
  return undefined
}
