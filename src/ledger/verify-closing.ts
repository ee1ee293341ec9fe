import { sql } from 'kysely'
import { BOOKS } from './tables.ts'

export interface Discrepancy {
  readonly sentence: string
}

/**
 * What holds of months that are closed (sql/close-months.sql), whose receipts are gone: their days'
 * totals are still there, and move as much as the closing transfers do. On the embedded store no month
 * is closed, and the same holds.
 */
export const CLOSING_CHECKS = [
  sql<Discrepancy>`
    select 'days of ' || coalesce(d.account_id, t.debit) || ' sum to ' || coalesce(d.charged, 0)
      || ' charged, its transfers to ' || coalesce(t.charged, 0) as sentence
    from (
      select account_id, sum(charged_nano) as charged from account_day group by account_id
    ) d
    full join (
      select debit, sum(amount_nano) as charged from transfer where kind = 'charge' group by debit
    ) t on t.debit = d.account_id
    where coalesce(d.charged, 0) <> coalesce(t.charged, 0)`,
  // A write-off moves nothing of the account's: whose it is, is told by its receipt or its reference.
  sql<Discrepancy>`
    select 'days of ' || b.account_id || ' sum to ' || coalesce(d.written_off, 0)
      || ' written off, its receipts and closed months to '
      || (coalesce(r.written_off, 0) + coalesce(c.written_off, 0)) as sentence
    from balance b
    left join (
      select account_id, sum(written_off_nano) as written_off from account_day group by account_id
    ) d on d.account_id = b.account_id
    left join (
      select account_id, sum(written_off_nano) as written_off from receipt group by account_id
    ) r on r.account_id = b.account_id
    left join (
      select substr(reference, length('closed:2026-01:write_off:') + 1) as account_id, sum(amount_nano) as written_off
      from transfer where reference like 'closed:%' and kind = 'write_off' group by 1
    ) c on c.account_id = b.account_id
    where coalesce(d.written_off, 0) <> coalesce(r.written_off, 0) + coalesce(c.written_off, 0)`,
  sql<Discrepancy>`
    select 'transfer ' || t.reference || ' does not close a month that is closed' as sentence
    from transfer t
    where t.reference like 'closed:%' and not (
      substr(t.reference, 8, 7) <= coalesce((select substr(through_day, 1, 7) from closing), '') and (
        (t.kind = 'charge' and t.reference = 'closed:' || substr(t.reference, 8, 7) || ':charge:' || t.debit)
        or (t.kind = 'write_off' and t.debit = ${BOOKS.writtenOff}
          and t.reference like 'closed:_______:write_off:%'
          and exists (
            select 1 from balance b
            where b.account_id = substr(t.reference, length('closed:2026-01:write_off:') + 1)
          ))
      )
    )`,
  sql<Discrepancy>`
    select 'receipt ' || r.request_id || ' is of a month that is closed' as sentence
    from receipt r join closing c on r.day <= c.through_day
    where r.request_id >= 'req_' and r.request_id < c.open_from`,
]
