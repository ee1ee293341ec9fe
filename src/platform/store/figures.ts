import { sql, type Kysely } from 'kysely'
import type { StoredTable, StoredTables } from './stored-tables.ts'

/** `digest`: of all rows, see digest.ts. Amounts are in nano-euros. */
export type Unit = 'count' | 'nano' | 'digest'

/** One figure of a table, e.g. its rows or the sum of a column. */
export interface Figure {
  readonly table: string
  readonly name: string
  readonly unit: Unit
  readonly value: bigint
}

/** One figure at both ends; null where an end has no such row to add up. */
export interface Comparison extends Omit<Figure, 'value'> {
  readonly source: bigint | null
  readonly target: bigint | null
}

/** Counts and adds up each table, by the same statements on either engine. */
export async function readFigures(db: Kysely<object>, tables: StoredTables): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [table, kept] of Object.entries(tables)) {
    figures.push(await countRows(db, table), ...(await addUp(db, table, kept)))
  }
  return figures
}

async function countRows(db: Kysely<object>, table: string): Promise<Figure> {
  const { rows } = await sql<{
    rows: number
  }>`select count(*) as rows from ${sql.table(table)}`.execute(db)
  return { table, name: 'rows', unit: 'count', value: BigInt(rows[0]?.rows ?? 0) }
}

async function addUp(db: Kysely<object>, table: string, kept: StoredTable): Promise<Figure[]> {
  const { sums = [], by } = kept
  if (sums.length === 0) return []
  // As text: all accounts together may have more than a number is exact for.
  const columns = sums.map(
    (column) => sql`cast(coalesce(sum(${sql.ref(column)}), 0) as text) as ${sql.ref(column)}`,
  )
  const group = by === undefined ? sql`''` : sql.ref(by)
  const { rows } = await sql<Record<string, string>>`
    select ${group} as part, ${sql.join(columns)} from ${sql.table(table)}
    ${by === undefined ? sql`` : sql`group by ${sql.ref(by)}`}
  `.execute(db)
  return rows.flatMap((row) =>
    sums.map((column) => ({
      table,
      name: nameOf(column, row['part']),
      unit: column.endsWith('_nano') ? ('nano' as const) : ('count' as const),
      value: BigInt(row[column] ?? 0),
    })),
  )
}

/** `amount_nano` of the kind `charge` is "amount of charge". */
function nameOf(column: string, part = ''): string {
  const name = column.replace(/_nano$/, '').replaceAll('_', ' ')
  return part === '' ? name : `${name} of ${part}`
}

/** Sets both ends side by side, in the order of the tables. */
export function compareFigures(
  tables: StoredTables,
  source: readonly Figure[],
  target: readonly Figure[],
): Comparison[] {
  const order = Object.keys(tables)
  const compared = new Map<string, Comparison>()
  for (const { table, name, unit, value } of source) {
    compared.set(`${table} ${name}`, { table, name, unit, source: value, target: null })
  }
  for (const { table, name, unit, value } of target) {
    const { source: there = null } = compared.get(`${table} ${name}`) ?? {}
    compared.set(`${table} ${name}`, { table, name, unit, source: there, target: value })
  }
  return [...compared.values()].toSorted((a, b) => order.indexOf(a.table) - order.indexOf(b.table))
}

export function isDifferent({ source, target }: Comparison): boolean {
  return source !== target
}
