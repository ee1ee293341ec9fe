import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Store } from '#platform/store/index.ts'
import { readTables } from '../docs/read-tables.ts'

/** What the page says of some columns of a table. */
export interface ColumnFate {
  readonly table: string
  readonly column: string
  readonly isExported: boolean
  readonly deletion: 'goes' | 'stays' | 'changes'
}

export interface ToldColumns {
  readonly fates: readonly ColumnFate[]
  /** Tables that have nothing of people. */
  readonly others: readonly string[]
}

/** The first words of the cells, in each language. */
const WORDS = {
  en: { yes: 'yes', goes: 'goes', stays: 'stays', changes: 'changes' },
  pt: { yes: 'sim', goes: 'sai', stays: 'fica', changes: 'muda' },
}

/** The table of every column, as the page has it. */
export function readToldColumns(language: 'en' | 'pt'): ToldColumns {
  const folder = language === 'en' ? 'docs' : 'docs/pt'
  const page = new URL(`../../${folder}/operate/personal-data.md`, import.meta.url)
  const text = readFileSync(page, 'utf8')
  const words = WORDS[language]
  const table = readTables(text).at(-1)
  const fates = (table?.rows ?? []).flatMap(
    ([name = '', columns = '', exported = '', left = '']) => {
      const deletion = (['goes', 'stays', 'changes'] as const).find((fate) =>
        left.startsWith(words[fate]),
      )
      if (!deletion) throw new Error(`nothing is said of the deletion of ${name} ${columns}`)
      const isExported = exported.startsWith(words.yes)
      const [tableName = ''] = readAllCode(name)
      return readAllCode(columns).map((column) => ({
        table: tableName,
        column,
        isExported,
        deletion,
      }))
    },
  )
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  return { fates, others: readAllCode(last) }
}

function readAllCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** Every column of every table that a store has; of a table in partitions, once. */
export async function readStoredColumns(
  store: Store,
): Promise<{ readonly table: string; readonly column: string }[]> {
  const query =
    store.engine === 'sqlite'
      ? sql<{ table: string; column: string }>`
          select m.name as "table", c.name as "column"
          from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
      : sql<{ table: string; column: string }>`
          select c.relname as "table", a.attname as "column"
          from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
            and not c.relispartition and a.attnum > 0 and not a.attisdropped`
  const { rows } = await query.execute(store.reads)
  return rows.toSorted((one, other) =>
    `${one.table} ${one.column}` < `${other.table} ${other.column}` ? -1 : 1,
  )
}

export type Row = Readonly<Record<string, unknown>>

export async function readRows(store: Store, table: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(store.reads)
  return rows
}
