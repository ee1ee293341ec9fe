import { sql, type Kysely } from 'kysely'
import type { LedgerTables } from './tables.ts'

/** What an account used on some UTC days, both included. */
export interface UsageRange {
  readonly fromDay: string
  readonly toDay: string
  /** Of one key alone. */
  readonly keyId: string | undefined
}

export interface UsageFigures {
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly charged: bigint
  readonly writtenOff: bigint
}

export type UsageOfDay = UsageFigures & { readonly day: string; readonly brand: string }
export type UsageOfKey = UsageFigures & { readonly keyId: string }

export interface Usage {
  /** By day, then by brand. */
  readonly days: readonly UsageOfDay[]
  /** The dearest first. */
  readonly keys: readonly UsageOfKey[]
}

/** The sums of two groupings; a day's rows are one for each brand and key, however many requests. */
export async function selectUsage(
  db: Kysely<LedgerTables>,
  accountId: string,
  range: UsageRange,
  maxKeys: number,
): Promise<Usage> {
  const [days, keys] = await Promise.all([
    sql<SumRow & { day: string; brand: string }>`
      select day, brand, ${SUMS} from account_day where ${inRange(accountId, range)}
      group by day, brand order by day, brand`.execute(db),
    sql<SumRow & { key_id: string }>`
      select key_id, ${SUMS} from account_day where ${inRange(accountId, range)}
      group by key_id order by sum(charged_nano) desc, key_id limit ${maxKeys}`.execute(db),
  ])
  return {
    days: days.rows.map((row) => ({ day: row.day, brand: row.brand, ...readSums(row) })),
    keys: keys.rows.map((row) => ({ keyId: row.key_id, ...readSums(row) })),
  }
}

/** The last UTC day on which a request of each of these keys was booked; those that have none are missing. */
export async function selectLastDays(
  db: Kysely<LedgerTables>,
  accountId: string,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map()
  // Each key's last entry of the index, and not all of its days.
  const days = keyIds.map(
    (keyId) => sql`select ${keyId} as key_id, max(day) as day from account_day
      where account_id = ${accountId} and key_id = ${keyId}`,
  )
  const { rows } = await sql<{ key_id: string; day: string | null }>`
    ${sql.join(days, sql` union all `)}`.execute(db)
  return new Map(rows.flatMap(({ key_id: keyId, day }) => (day === null ? [] : [[keyId, day]])))
}

interface SumRow {
  readonly requests: string
  readonly prompt_tokens: string
  readonly completion_tokens: string
  readonly charged: string
  readonly written_off: string
}

/** As text: PostgreSQL adds up bigints to a type of which its client makes text, SQLite to a number. */
const SUMS = sql.raw(
  [
    ['requests', 'requests'],
    ['prompt_tokens', 'prompt_tokens'],
    ['completion_tokens', 'completion_tokens'],
    ['charged_nano', 'charged'],
    ['written_off_nano', 'written_off'],
  ]
    .map(([column, name]) => `cast(sum(${column}) as text) as ${name}`)
    .join(', '),
)

function inRange(accountId: string, { fromDay, toDay, keyId }: UsageRange) {
  const ofKey = keyId === undefined ? sql`` : sql`and key_id = ${keyId}`
  return sql`account_id = ${accountId} and day >= ${fromDay} and day <= ${toDay} ${ofKey}`
}

function readSums(row: SumRow): UsageFigures {
  return {
    requests: Number(row.requests),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    charged: BigInt(row.charged),
    writtenOff: BigInt(row.written_off),
  }
}
