-- Closing a month: its receipts are deleted, and for each account one transfer takes the place of those
-- of its charges, so that balances still are the sum of their transfers. What is closed is said by the
-- one row of `closing`: receipts that count for a day up to `through_day` and whose ids are before
-- `open_from`. An id before it that has no receipt is never charged again.

-- The oldest month that may be closed, where so many whole months before the current one are kept;
-- null where there is none. By the database's clock, which is one for all replicas.
create function next_month_to_close(months_kept int) returns date language plpgsql stable as $$
declare
  last_month date := (date_trunc('month', now() at time zone 'utc') - make_interval(months => months_kept + 1))::date;
  oldest_part date;
  oldest_other text;
  oldest date;
begin
  select min(to_date(right(c.relname, 7), 'YYYY_MM')) into oldest_part
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'receipt'::regclass and c.relname ~ '^receipt_\d{4}_\d{2}$';
  -- Some receipts have no partition of their own: of requests that were charged in a later month.
  select min(r.request_id) into oldest_other from receipt_other r
  where r.request_id >= 'req_'
    and r.request_id < first_key_of('req_', (last_month + interval '1 month')::date);
  oldest := least(oldest_part, case when oldest_other ~ '^req_[0-9a-f]{12}' then date_trunc('month',
    to_timestamp(('x0000' || substr(oldest_other, 5, 12))::bit(64)::bigint / 1000.0) at time zone 'utc') end);
  oldest := greatest(oldest, (select to_date(c.through_day, 'YYYY-MM-DD') + 1 from closing c));
  return case when oldest <= last_month then oldest end;
end $$;

-- Closes the month that begins on the given day, as one transaction. Answers what was deleted, null
-- where another replica is at it or has done it. All that takes long comes before the locks that charges wait for.
create function close_month(month date) returns json language plpgsql as $$
declare
  next_month date := (month + interval '1 month')::date;
  last_day text := to_char(next_month - 1, 'YYYY-MM-DD');
  end_key text := first_key_of('req_', next_month);
  closed_receipts bigint;
  parts text[];
  staying_receipts receipt[];
  staying_transfers transfer[];
begin
  if not pg_try_advisory_xact_lock(hashtext('parley close_month')) then
    return null;
  end if;
  perform from closing c where c.through_day >= last_day;
  if found then
    return null;
  end if;
  if next_month >= date_trunc('month', now() at time zone 'utc') then
    raise exception 'the month of % is too young to be closed', month;
  end if;
  select coalesce(array_agg(p.name), '{}') into parts
  from unnest(array['receipt_', 'transfer_charge_', 'transfer_write_off_']) stem,
    lateral (select stem || to_char(month, 'YYYY_MM') as name) p
  where to_regclass(p.name) is not null;
  perform set_config('lock_timeout', '10s', true);
  -- Nothing is added to the month from here on; reading it goes on.
  for i in 1..cardinality(parts) loop
    execute format('lock table only %I in exclusive mode', parts[i]);
  end loop;

  -- Of requests that were charged in a later month: few.
  staying_receipts := array(select r from receipt r
    where r.request_id >= 'req_' and r.request_id < end_key and r.day > last_day);
  staying_transfers := array(select t from unnest(staying_receipts) r join transfer t
    on t.reference in ('charge:' || r.request_id, 'write_off:' || r.request_id));
  closed_receipts := fold_receipts(to_char(month, 'YYYY-MM'), last_day, end_key);
  perform check_fold(to_char(month, 'YYYY-MM'), next_month, staying_transfers);

  delete from receipt_other r where r.request_id >= 'req_' and r.request_id < end_key;
  delete from transfer_other t
  where (t.reference >= 'charge:req_' and t.reference < 'charge:' || end_key)
    or (t.reference >= 'write_off:req_' and t.reference < 'write_off:' || end_key);

  perform lock_for_change('{receipt, transfer, receipt_other, transfer_other}' || parts);
  for i in 1..cardinality(parts) loop
    execute format('drop table %I', parts[i]);
  end loop;
  insert into receipt select * from unnest(staying_receipts);
  insert into transfer select * from unnest(staying_transfers);
  insert into closing (through_day, open_from) values (last_day, end_key)
  on conflict (only_row) do update set through_day = excluded.through_day, open_from = excluded.open_from;
  return json_build_object('month', to_char(month, 'YYYY-MM'), 'receipts', closed_receipts,
    'receiptsStaying', cardinality(staying_receipts));
end $$;

-- Books each account's closing transfers: the sums of what its receipts say. Answers how many receipts.
create function fold_receipts(label text, last_day text, end_key text) returns bigint language sql as $$
  with
  sums as materialized (
    select r.account_id, count(*) as receipts, sum(r.charged_nano) as charged,
      sum(r.written_off_nano) as written_off
    from receipt r
    where r.request_id >= 'req_' and r.request_id < end_key and r.day <= last_day
    group by r.account_id
  ),
  folded as (
    insert into transfer (reference, debit, credit, amount_nano, kind, created_at)
    select f.reference, f.debit, 'book:revenue', f.amount_nano, f.kind,
      floor(extract(epoch from now()) * 1000)
    from (
      select 'closed:' || label || ':charge:' || account_id as reference, account_id as debit,
        charged as amount_nano, 'charge' as kind
      from sums where charged > 0
      union all
      select 'closed:' || label || ':write_off:' || account_id, 'book:written_off', written_off, 'write_off'
      from sums where written_off > 0
    ) f order by f.reference
  )
  select coalesce(sum(receipts), 0)::bigint from sums
$$;

-- Whether the closing transfers move what the transfers to be deleted moved. If not, the books are wrong,
-- and what could show why must not be deleted.
create function check_fold(label text, next_month date, staying transfer[]) returns void
language plpgsql as $$
declare
  wrong text;
begin
  with
  moved as (
    select t.kind, t.debit, sum(t.amount_nano) as amount from transfer t
    where ((t.reference >= 'charge:req_' and t.reference < first_key_of('charge:req_', next_month))
        or (t.reference >= 'write_off:req_' and t.reference < first_key_of('write_off:req_', next_month)))
      and not exists (select from unnest(staying) s where s.reference = t.reference)
    group by t.kind, t.debit
  ),
  folded as (
    select t.kind, t.debit, sum(t.amount_nano) as amount from transfer t
    where t.reference >= 'closed:' || label || ':' and t.reference < 'closed:' || label || ';'
    group by t.kind, t.debit
  )
  select coalesce(m.debit, f.debit) into wrong
  from moved m full join folded f on f.kind = m.kind and f.debit = m.debit
  where m.amount is distinct from f.amount limit 1;
  if wrong is not null then
    raise exception 'the receipts of % and the transfers of % do not agree', label, wrong;
  end if;
end $$;
