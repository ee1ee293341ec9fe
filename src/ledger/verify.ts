import { sql, type Kysely, type Transaction } from 'kysely'
import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import { BOOKS, type LedgerTables } from './tables.ts'
import { CLOSING_CHECKS, type Discrepancy } from './verify-closing.ts'

export interface Verification {
  readonly ok: boolean
  readonly transfers: number
  readonly accounts: number
  /** A sentence for each figure that does not add up; at most MAX_DISCREPANCIES. */
  readonly discrepancies: readonly string[]
}

const MAX_DISCREPANCIES = 100

/** Each check selects only what is wrong, one sentence a row. Sums stay in the database: exact. */
const CHECKS = [
  sql<Discrepancy>`
    select 'balance of ' || b.account_id || ' is ' || b.balance_nano || ', its transfers sum to '
      || (coalesce(t.inflow, 0) - coalesce(t.outflow, 0)) as sentence
    from balance b
    left join (
      select book, sum(inflow) as inflow, sum(outflow) as outflow from (
        select credit as book, amount_nano as inflow, 0 as outflow from transfer
        union all
        select debit as book, 0 as inflow, amount_nano as outflow from transfer
      ) moves group by book
    ) t on t.book = b.account_id
    where b.balance_nano <> coalesce(t.inflow, 0) - coalesce(t.outflow, 0)`,
  sql<Discrepancy>`
    select 'deposits of ' || b.account_id || ' are ' || b.deposits_nano || ', its deposit transfers sum to '
      || coalesce(t.total, 0) as sentence
    from balance b
    left join (
      select book, sum(amount) as total from (
        select credit as book, amount_nano as amount from transfer where kind in ('deposit', 'dispute_won')
        union all
        select debit as book, -amount_nano as amount from transfer where kind in ('refund', 'dispute')
      ) moves group by book
    ) t on t.book = b.account_id
    where b.deposits_nano <> coalesce(t.total, 0)`,
  sql<Discrepancy>`
    select 'transfer ' || t.reference || ' moves money of an unknown account' as sentence
    from transfer t
    where (t.debit not like 'book:%' and not exists (select 1 from balance where account_id = t.debit))
      or (t.credit not like 'book:%' and not exists (select 1 from balance where account_id = t.credit))`,
  sql<Discrepancy>`
    select 'receipt ' || r.request_id || ' says ' || r.charged_nano || ' charged, its transfer '
      || coalesce(t.amount_nano, 0) as sentence
    from receipt r
    left join transfer t on t.reference = 'charge:' || r.request_id
      and t.debit = r.account_id and t.credit = ${BOOKS.revenue}
    where r.charged_nano <> coalesce(t.amount_nano, 0)`,
  sql<Discrepancy>`
    select 'receipt ' || r.request_id || ' says ' || r.written_off_nano || ' written off, its transfer '
      || coalesce(t.amount_nano, 0) as sentence
    from receipt r
    left join transfer t on t.reference = 'write_off:' || r.request_id
      and t.debit = ${BOOKS.writtenOff} and t.credit = ${BOOKS.revenue}
    where r.written_off_nano <> coalesce(t.amount_nano, 0)`,
  sql<Discrepancy>`
    select 'transfer ' || t.reference || ' has no receipt' as sentence
    from transfer t
    left join receipt r on r.request_id = substr(t.reference, length(t.kind) + 2)
      and t.reference = t.kind || ':' || r.request_id
    where t.kind in ('charge', 'write_off') and t.reference not like 'closed:%' and r.request_id is null`,
  sql<Discrepancy>`
    select 'day ' || d.day || ' of ' || d.account_id || ' (' || d.brand || ', ' || d.key_id || ') says '
      || d.requests || ' requests and ' || d.charged_nano || ', its receipts '
      || coalesce(r.requests, 0) || ' and ' || coalesce(r.charged, 0) as sentence
    from account_day d
    left join (
      select account_id, day, brand, key_id, count(*) as requests, sum(charged_nano) as charged,
        sum(written_off_nano) as written_off, sum(prompt_tokens) as prompt, sum(completion_tokens) as completion
      from receipt group by account_id, day, brand, key_id
    ) r on r.account_id = d.account_id and r.day = d.day and r.brand = d.brand and r.key_id = d.key_id
    where d.day > coalesce((select through_day from closing), '') and (
      d.requests <> coalesce(r.requests, 0) or d.charged_nano <> coalesce(r.charged, 0)
      or d.written_off_nano <> coalesce(r.written_off, 0)
      or d.prompt_tokens <> coalesce(r.prompt, 0) or d.completion_tokens <> coalesce(r.completion, 0)
    )`,
  sql<Discrepancy>`
    select 'account ' || b.account_id || ' spent ' || b.spent_nano || ' on ' || b.spent_day
      || ', its totals of that day sum to ' || coalesce(d.total, 0) as sentence
    from balance b
    left join (
      select account_id, day, sum(charged_nano) as total from account_day group by account_id, day
    ) d on d.account_id = b.account_id and d.day = b.spent_day
    where b.spent_nano <> coalesce(d.total, 0)`,
  sql<Discrepancy>`
    select 'transfer ' || t.reference || ' of kind ' || t.kind || ' goes from ' || t.debit || ' to ' || t.credit as sentence
    from transfer t
    where not (
      (t.kind = 'deposit' and t.debit = ${BOOKS.cash} and t.credit not like 'book:%')
      or (t.kind = 'grant' and t.debit = ${BOOKS.grants} and t.credit not like 'book:%')
      or (t.kind = 'refund' and t.debit not like 'book:%' and t.credit = ${BOOKS.cash})
      or (t.kind = 'dispute' and t.debit not like 'book:%' and t.credit = ${BOOKS.disputed})
      or (t.kind = 'dispute_won' and t.debit = ${BOOKS.disputed} and t.credit not like 'book:%')
      or (t.kind = 'dispute_lost' and t.debit = ${BOOKS.disputed} and t.credit = ${BOOKS.cash})
      or (t.kind = 'charge' and t.debit not like 'book:%' and t.credit = ${BOOKS.revenue})
      or (t.kind = 'write_off' and t.debit = ${BOOKS.writtenOff} and t.credit = ${BOOKS.revenue})
    )`,
  sql<Discrepancy>`
    select 'day ' || r.day || ' of ' || r.account_id || ' (' || r.brand || ', ' || r.key_id || ') has '
      || count(*) || ' receipts and no total' as sentence
    from receipt r
    where not exists (
      select 1 from account_day d where d.account_id = r.account_id and d.day = r.day
        and d.brand = r.brand and d.key_id = r.key_id
    )
    group by r.account_id, r.day, r.brand, r.key_id`,
  sql<Discrepancy>`
    select 'account ' || b.account_id || ' was last charged on ' || b.spent_day
      || ', its last day with a total is ' || max(d.day) as sentence
    from balance b
    join account_day d on d.account_id = b.account_id
    group by b.account_id, b.spent_day
    having max(d.day) <> b.spent_day`,
  ...CLOSING_CHECKS,
]

/** Adds up the books from their entries, in one snapshot, and says what does not agree. */
export async function verifyBooks(reads: Kysely<LedgerTables>): Promise<Verification> {
  return reads.transaction().setIsolationLevel('repeatable read').execute(verifySnapshot)
}

/** The same within a transaction, before it is committed. */
export function verifyBooksWithin(tx: AnyTransaction): Promise<Verification> {
  return verifySnapshot(withTables<LedgerTables>(tx))
}

async function verifySnapshot(snapshot: Transaction<LedgerTables>): Promise<Verification> {
  const discrepancies: string[] = []
  for (const check of CHECKS) {
    const left = MAX_DISCREPANCIES - discrepancies.length
    if (left === 0) break
    const { rows } = await sql<Discrepancy>`${check} limit ${left}`.execute(snapshot)
    discrepancies.push(...rows.map((row) => row.sentence))
  }
  const [transfers, accounts] = [
    await count(snapshot, 'transfer'),
    await count(snapshot, 'balance'),
  ]
  return { ok: discrepancies.length === 0, transfers, accounts, discrepancies }
}

async function count(db: Kysely<LedgerTables>, table: 'transfer' | 'balance'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((expression) => expression.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}
