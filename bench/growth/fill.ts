import type { Client } from 'pg'

export interface Size {
  readonly accounts: number
  readonly receipts: number
}

/** Each month is of its own partition: receipts lie in so many, the last being the current one. */
export const MONTHS = 24

const DEPOSIT_NANO = 1_000_000_000_000
const GRANT_NANO = 1_000_000_000

/** What the gate knows the key of the account at this place by; as in the statement below. */
export const KEY_NAME = 'growth-key-'

/**
 * Fills a store that has only just been migrated: accounts, each with a key and money, and receipts
 * spread over the months and the accounts, with the transfers and totals that belong to them. The books
 * add up. Set by set, so that ten million take minutes.
 */
export async function fill(client: Client, size: Size, nowMs: number): Promise<void> {
  const span = spanOf(nowMs, size)
  await client.query(DEFINITIONS)
  await client.query(`select make_partitions($1::date, ${MONTHS + 2})`, [new Date(span.startMs)])
  for (const text of writeAccounts(size.accounts, span.startMs)) await client.query(text)
  for (let month = 0; month < MONTHS; month += 1) {
    const [from, to] = [placeOf(span, month), placeOf(span, month + 1)]
    if (from === to) continue
    await client.query('begin')
    await client.query(RECEIPTS, [from, to - 1, span.startMs, span.stepMs, size.accounts])
    const bounds = [monthOf(span, month), monthOf(span, month + 1)].map((at) => new Date(at))
    await client.query(CHARGES, bounds)
    await client.query(DAYS, bounds)
    await client.query('commit')
  }
  await client.query(BALANCES, [size.accounts, span.startMs, DEPOSIT_NANO, GRANT_NANO])
  await client.query('vacuum analyze')
}

interface Span {
  readonly startMs: number
  readonly stepMs: number
  readonly receipts: number
}

function spanOf(nowMs: number, { receipts }: Size): Span {
  const now = new Date(nowMs)
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1)
  return { startMs, stepMs: (nowMs - startMs) / receipts, receipts }
}

function monthOf({ startMs }: Span, month: number): number {
  const start = new Date(startMs)
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month)
}

/** How many receipts are of earlier months than this one. */
function placeOf(span: Span, month: number): number {
  const place = Math.ceil((monthOf(span, month) - span.startMs) / span.stepMs)
  return Math.min(place, span.receipts)
}

/** A UUID of version 7 behind its prefix, as createId makes them, with what follows from a seed. */
const DEFINITIONS = `
  create function pg_temp.made_id(prefix text, ms bigint, seed text) returns text language sql immutable as $$
    select prefix || '_' || lpad(to_hex(ms), 12, '0') || '7' || substr(md5(seed), 1, 3) || '8'
      || substr(md5(seed), 4, 15)
  $$;
  create function pg_temp.account_id(place bigint, start_ms bigint) returns text language sql immutable as $$
    select pg_temp.made_id('acc', start_ms - 86400000 + place, 'account ' || place)
  $$;
  create function pg_temp.key_id(place bigint, start_ms bigint) returns text language sql immutable as $$
    select pg_temp.made_id('key', start_ms - 86400000 + place, 'key ' || place)
  $$;
  set synchronous_commit = off;
  set work_mem = '256MB'`

/** The numbers are ours: they stand in the statements as they are. */
function writeAccounts(accounts: number, startMs: number): readonly string[] {
  const places = `from generate_series(0, ${accounts - 1}) n`
  const account = `pg_temp.account_id(n, ${startMs})`
  const person = `pg_temp.made_id('per', ${startMs} + n, 'person ' || n)`
  return [
    `insert into person select ${person}, 'growth' || n || '@example.com', null, 'PRO', ${startMs} ${places}`,
    `insert into account select ${account}, ${person}, 3, null, 0, ${startMs} ${places}`,
    `insert into api_key select pg_temp.key_id(n, ${startMs}), ${account}, 'key',
      encode(sha256(('${KEY_NAME}' || n)::bytea), 'hex'), 'svc_live_0000', '0000', ${startMs}, null ${places}`,
    ...['account.created', 'credit.booked', 'key.created'].map(
      (
        action,
      ) => `insert into audit select pg_temp.made_id('aud', ${startMs} + n, '${action} ' || n), ${startMs},
        'operator', '${action}', ${account}, '{}' ${places}`,
    ),
    `insert into gate_account select ${account}, 0, 1, 0, 0, 0 ${places}`,
    `insert into transfer select 'credit:growth:' || n, 'book:cash', ${account}, ${DEPOSIT_NANO}, 'deposit',
      ${startMs} ${places}`,
    `insert into transfer select 'free-credit:' || n, 'book:grants', ${account}, ${GRANT_NANO}, 'grant',
      ${startMs} ${places}`,
  ]
}

const RECEIPTS = `
  insert into receipt
  select pg_temp.made_id('req', ms, 'request ' || i), pg_temp.account_id(n, $3::bigint), pg_temp.key_id(n, $3::bigint),
    (array['air', 'prime', 'nova'])[1 + i % 3], 'svc-model-v1', 100 + i % 50, 200 + i % 100, 'upstream',
    (100 + i % 900) * 1000, 0, 'stop', 'completed',
    to_char(to_timestamp(ms / 1000.0) at time zone 'utc', 'YYYY-MM-DD'), ms, ms + 900, 900, 200
  from (
    select i, ($3::bigint + floor(i * $4::float8))::bigint as ms, (i * 7919) % $5::bigint as n
    from generate_series($1::bigint, $2::bigint) i
  ) made`

const OF_MONTH = `r.request_id >= first_key_of('req_', $1::date) and r.request_id < first_key_of('req_', $2::date)`

const CHARGES = `
  insert into transfer
  select 'charge:' || r.request_id, r.account_id, 'book:revenue', r.charged_nano, 'charge', r.charged_at
  from receipt r where ${OF_MONTH}`

const DAYS = `
  insert into account_day
  select r.account_id, r.day, r.brand, r.key_id, count(*), sum(r.prompt_tokens), sum(r.completion_tokens),
    sum(r.charged_nano), sum(r.written_off_nano)
  from receipt r where ${OF_MONTH}
  group by r.account_id, r.day, r.brand, r.key_id order by 1, 2, 3, 4`

const BALANCES = `
  insert into balance
  select made.account_id, $3::bigint + $4::bigint - coalesce(spent.charged, 0), $3::bigint, coalesce(spent.last_day, ''),
    coalesce((
      select sum(d.charged_nano) from account_day d
      where d.account_id = made.account_id and d.day = spent.last_day
    ), 0), 1
  from (select pg_temp.account_id(n, $2::bigint) as account_id from generate_series(0, $1::bigint - 1) n) made
  left join (
    select account_id, sum(charged_nano) as charged, max(day) as last_day from account_day group by account_id
  ) spent on spent.account_id = made.account_id`
