-- The tables that grow with every request are cut into months. Their keys are or end with a UUIDv7,
-- whose first 48 bits are the milliseconds since the epoch, so a month is a range of keys, and a key
-- is unique in the whole table. What is of no month that is there is in `_other`.

create table receipt_other partition of receipt default;
create table transfer_other partition of transfer default;

-- All transfers but those of requests: credits, and what closing a month leaves. They stay for ever, so
-- they must not be in `_other`, which is searched, while everyone waits, when a month is made.
create table transfer_first partition of transfer for values from (minvalue) to ('charge:req_');
create table transfer_credit partition of transfer for values from ('charge:req`') to ('write_off:req_');
create table transfer_last partition of transfer for values from ('write_off:req`') to (maxvalue);

-- Where the keys of a month begin, e.g. 'req_019a3b000000'.
create function first_key_of(prefix text, month date) returns text language sql immutable as $$
  select prefix || lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0')
$$;

-- Locks tables whose partitions are about to change, until the transaction ends. Whoever charges waits
-- behind whoever waits for these locks, so we wait for a moment only, let the others pass, and try again.
create function lock_for_change(names text[]) returns void language plpgsql as $$
begin
  for attempt in 1..30 loop
    begin
      perform set_config('lock_timeout', '100ms', true);
      execute (
        select 'lock table ' || string_agg(format('only %I', name), ', ' order by place)
          || ' in access exclusive mode'
        from unnest(names) with ordinality as n (name, place)
      );
      return;
    exception when lock_not_available then
      if attempt = 30 then
        raise;
      end if;
      perform pg_sleep(2);
    end;
  end loop;
end $$;

-- Makes the partitions of so many months from the given one on, where they are missing. Called at
-- every start and once a day, well before a month begins: none is made where rows are already.
create function make_partitions(first_month date, months int) returns void language plpgsql as $$
declare
  is_locked boolean := false;
  month date;
  part record;
  name text;
begin
  -- One at a time, whichever replica comes first.
  perform pg_advisory_xact_lock(hashtext('parley make_partitions'));
  for month in
    select (date_trunc('month', first_month) + make_interval(months => m))::date
    from generate_series(0, months - 1) m
  loop
    for part in
      select * from (values
        ('receipt', 'receipt', 'req_'),
        ('transfer', 'transfer_charge', 'charge:req_'),
        ('transfer', 'transfer_write_off', 'write_off:req_')
      ) p (parent, stem, prefix)
    loop
      name := part.stem || '_' || to_char(month, 'YYYY_MM');
      continue when to_regclass(name) is not null;
      if not is_locked then
        perform lock_for_change('{receipt, transfer, receipt_other, transfer_other}');
        is_locked := true;
      end if;
      execute format('create table %I partition of %I for values from (%L) to (%L)', name, part.parent,
        first_key_of(part.prefix, month),
        first_key_of(part.prefix, (month + interval '1 month')::date));
    end loop;
  end loop;
end $$;
