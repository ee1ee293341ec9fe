import { hash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'

/**
 * A table's digest: the sum of its rows' hashes, whatever their order. A row is hashed as its values
 * in text, one behind the other. The source's rows are hashed here as they pass; PostgreSQL hashes
 * those that it has kept. So a row that was changed on its way is found, whatever column it was in.
 */
export type Row = Readonly<Record<string, string | number | null>>

const SEPARATOR = '\u001F'
const NULL = '\u001E'
/** 60 bits: PostgreSQL's integers have a sign. */
const HEX_DIGITS = 15

export function digestRows(columns: readonly string[], rows: readonly Row[]): bigint {
  let sum = 0n
  for (const row of rows) {
    const text = columns.map((column) => row[column] ?? NULL).join(SEPARATOR)
    sum += BigInt(`0x${hash('sha256', text, 'hex').slice(0, HEX_DIGITS)}`)
  }
  return sum
}

/** The same of a table that is in PostgreSQL. */
export async function digestTable(
  db: Kysely<object>,
  table: string,
  columns: readonly string[],
): Promise<bigint> {
  const values = columns.map((column) => sql`${sql.ref(column)}::text`)
  const text = sql`array_to_string(array[${sql.join(values)}], ${SEPARATOR}, ${NULL})`
  const digits = sql`left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), ${sql.lit(HEX_DIGITS)})`
  const { rows } = await sql<{ digest: string }>`
    select coalesce(sum(('x' || ${digits})::bit(60)::bigint), 0)::text as digest
    from ${sql.table(table)}
  `.execute(db)
  return BigInt(rows[0]?.digest ?? 0)
}
