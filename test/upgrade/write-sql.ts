import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** The whole of an embedded store as SQL: first its tables, then their rows, then its indexes. */
export function writeSqliteSql(directory: string): string {
  const database = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true })
  const parts = database
    .prepare('select type, name, sql from sqlite_schema where sql is not null order by rowid')
    .all() as unknown as Part[]
  const tables = parts.filter(({ type }) => type === 'table')
  const lines = [
    ...tables.map(({ sql }) => `${sql};`),
    ...tables.flatMap(({ name }) => writeRows(database, name)),
    ...parts.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`),
  ]
  database.close()
  return `${lines.join('\n')}\n`
}

function writeRows(database: DatabaseSync, table: string): string[] {
  return database
    .prepare(`select * from "${table}"`)
    .all()
    .map(
      (row) => `insert into "${table}" values (${Object.values(row).map(writeValue).join(', ')});`,
    )
}

function writeValue(value: SQLOutputValue): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return String(value)
}

/** The whole of a database as SQL that PostgreSQL itself reads, without what only psql does. */
export function writePostgresSql(databaseUrl: string): string {
  const text = execFileSync(
    'pg_dump',
    ['--inserts', '--no-owner', '--no-privileges', databaseUrl],
    {
      encoding: 'utf8',
    },
  )
  const lines = text.split('\n').filter((line) => !/^(\\|--|$)/.test(line))
  return `${lines.join('\n')}\n`
}
