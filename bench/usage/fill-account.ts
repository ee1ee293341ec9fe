import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Service } from '../../test/support/service.ts'

export interface Filling {
  readonly accountId: string
  readonly keyIds: readonly string[]
  readonly receipts: number
  /** Receipts lie evenly in these days, the last of which ends now. */
  readonly days: number
}

const DAY_MS = 86_400_000

/**
 * Gives an account receipts of a year, with the transfers, totals and balance that belong to them, set by
 * set. The books add up.
 */
export async function fillAccount(
  { store, dataDir, clock }: Service,
  databaseUrl: string | undefined,
  filling: Filling,
): Promise<void> {
  const statements = writeStatements(DIALECTS[store.engine], filling, clock.nowMs())
  await runBeside({ dataDir, databaseUrl }, ['begin', ...statements, 'commit'])
}

async function runBeside(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  statements: readonly string[],
): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 5_000 })
    for (const statement of statements) database.exec(statement)
    return database.close()
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** What the engines say in words of their own. */
interface Dialect {
  readonly series: (count: number) => string
  readonly hex: (number: string, digits: number) => string
  readonly day: (ms: string) => string
  readonly element: (place: string, texts: readonly string[]) => string
  /** Before the first row, and after the last one. */
  readonly before: (startMs: number, months: number) => readonly string[]
  readonly after: readonly string[]
}

const DIALECTS: Readonly<Record<'sqlite' | 'postgres', Dialect>> = {
  sqlite: {
    series: (count) =>
      `(with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n)`,
    hex: (number, digits) => `printf('%0${digits}x', ${number})`,
    day: (ms) => `strftime('%Y-%m-%d', (${ms}) / 1000, 'unixepoch')`,
    element: (place, texts) =>
      `case ${place} ${texts.map((text, n) => `when ${n} then '${text}'`).join(' ')} end`,
    before: () => [],
    after: ['analyze'],
  },
  postgres: {
    series: (count) => `(select generate_series(0, ${count - 1})::bigint as i)`,
    hex: (number, digits) => `lpad(to_hex(${number}), ${digits}, '0')`,
    day: (ms) => `to_char(to_timestamp((${ms}) / 1000.0) at time zone 'utc', 'YYYY-MM-DD')`,
    element: (place, texts) => `(array['${texts.join("','")}'])[1 + ${place}]`,
    before: (startMs, months) => [
      `select make_partitions('${new Date(startMs).toISOString().slice(0, 10)}'::date, ${months})`,
    ],
    after: ['analyze'],
  },
}

function writeStatements(dialect: Dialect, filling: Filling, nowMs: number): readonly string[] {
  const { series, hex, day, element, before, after } = dialect
  const { accountId, keyIds, receipts, days } = filling
  const startMs = nowMs - days * DAY_MS
  const stepMs = Math.floor((days * DAY_MS) / receipts)
  const ms = `(${startMs} + i * ${stepMs})`
  const ofAccount = `where account_id = '${accountId}'`
  return [
    ...before(startMs, Math.ceil(days / 28) + 2),
    `insert into receipt
      select 'req_' || ${hex(ms, 12)} || '7' || ${hex('i % 4096', 3)} || '8' || ${hex('i', 15)}, '${accountId}',
        ${element(`i * 7919 % ${keyIds.length}`, keyIds)}, ${element('i % 3', ['air', 'prime', 'nova'])},
        'svc-model-v1', 100 + i % 50, 200 + i % 100, 'upstream', (100 + i % 900) * 1000, 0, 'stop', 'completed',
        ${day(ms)}, ${ms}, ${ms} + 900, 900, 200
      from ${series(receipts)} n`,
    `insert into transfer select 'charge:' || request_id, account_id, 'book:revenue', charged_nano, 'charge',
      charged_at from receipt ${ofAccount}`,
    `insert into account_day select account_id, day, brand, key_id, count(*), sum(prompt_tokens),
      sum(completion_tokens), sum(charged_nano), sum(written_off_nano) from receipt ${ofAccount}
      group by account_id, day, brand, key_id`,
    `update balance set version = version + 1,
      balance_nano = balance_nano - (select sum(charged_nano) from receipt ${ofAccount}) ${ofAccount}`,
    `update balance set spent_day = (select max(day) from account_day ${ofAccount}) ${ofAccount}`,
    `update balance set spent_nano = (
      select sum(d.charged_nano) from account_day d where d.account_id = '${accountId}' and d.day = balance.spent_day
    ) ${ofAccount}`,
    ...after,
  ]
}
