SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.admit_requests(replica text, key_hashes text[], request_ids text[], costs bigint[], wanted_tokens bigint[], tier_requests bigint[], tier_tokens bigint[], second_tier_from bigint, third_tier_above bigint, given_ms bigint) RETURNS TABLE(place bigint, outcome text, key_id text, account_id text, at_ms bigint, window_start bigint, window_number bigint, requests bigint, tokens bigint, held_nano bigint, min_tier bigint, ceiling_nano bigint, balance_nano bigint, deposits_nano bigint, spent_day text, spent_nano bigint, version bigint, key_ceiling_nano bigint, key_spent_nano bigint, key_held_nano bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  key_ids text[];
  account_ids text[];
  key_ceilings bigint[];
  asked_ms bigint := coalesce(given_ms, epoch_ms());
  asked record;
  today text;
  tier int;
  -- What is to be written when all is decided: the last state of each account, and the holds.
  changed gate_account[] := '{}';
  placed gate_hold[] := '{}';
  -- The keys with a ceiling, and how far each has come, the holds placed here included.
  limited text[] := '{}';
  limited_spent bigint[] := '{}';
  limited_held bigint[] := '{}';
  spot int;
begin
  -- Nothing here is worth waiting for a disk.
  perform set_config('synchronous_commit', 'off', true);
  perform from gate_replica r where r.id = replica for key share;
  if not found then
    raise exception 'replica % has no lease', replica using errcode = 'PL001';
  end if;
  perform from gate_opening o where o.opens_at <= epoch_ms();
  if not found then
    raise exception 'replicas are telling again what they hold' using errcode = 'PL002';
  end if;
  select array_agg(k.id order by a.place), array_agg(k.account_id order by a.place),
    array_agg(k.daily_ceiling_nano order by a.place)
  into key_ids, account_ids, key_ceilings
  from unnest(key_hashes) with ordinality as a (hash, place)
  left join api_key k on k.hash = a.hash and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > asked_ms);
  perform lock_gate_accounts(array_remove(account_ids, null));
  -- The time is read after the locks: one of before them may be earlier than the start of a window
  -- that another replica began meanwhile, and would end it as a clock set back does.
  at_ms := coalesce(given_ms, epoch_ms());
  today := to_char(to_timestamp(at_ms / 1000.0) at time zone 'utc', 'YYYY-MM-DD');
  -- A statement of its own, after the locks: whoever settled before us has committed.
  for asked in
    select a.place, a.request_id, a.cost, a.tokens as wanted, a.key_id, a.key_ceiling, g.account_id,
      g.window_start, g.window_number, g.requests, g.tokens, g.held_nano,
      c.suspended, c.min_tier, c.daily_ceiling_nano, b.balance_nano, b.deposits_nano, b.spent_day,
      b.spent_nano, b.version, case when b.spent_day >= today then b.spent_nano else 0 end as spent_today
    from unnest(key_ids, account_ids, key_ceilings, request_ids, costs, wanted_tokens)
      with ordinality as a (key_id, account_id, key_ceiling, request_id, cost, tokens, place)
    left join gate_account g on g.account_id = a.account_id
    left join account c on c.id = a.account_id
    left join balance b on b.account_id = a.account_id
    order by g.account_id nulls last, a.place
  loop
    place := asked.place;
    key_id := asked.key_id;
    key_ceiling_nano := asked.key_ceiling;
    key_spent_nano := null;
    key_held_nano := null;
    if account_id is not null and account_id is distinct from asked.account_id then
      changed := changed
        || row(account_id, window_start, window_number, requests, tokens, held_nano)::gate_account;
    end if;
    if asked.account_id is null then
      outcome := 'unknown';
      account_id := null;
      return next;
      continue;
    end if;
    if asked.balance_nano is null then
      raise exception 'account % has no balance', asked.account_id;
    end if;
    -- The first of an account's requests finds its row; the others go on from there.
    if account_id is distinct from asked.account_id then
      account_id := asked.account_id;
      window_start := asked.window_start;
      window_number := asked.window_number;
      requests := asked.requests;
      tokens := asked.tokens;
      held_nano := asked.held_nano;
      min_tier := asked.min_tier;
      ceiling_nano := asked.daily_ceiling_nano;
      balance_nano := asked.balance_nano;
      deposits_nano := asked.deposits_nano;
      spent_day := asked.spent_day;
      spent_nano := asked.spent_nano;
      version := asked.version;
      tier := greatest(min_tier, case
        when greatest(balance_nano, deposits_nano) > third_tier_above then 3
        when greatest(balance_nano, deposits_nano) >= second_tier_from then 2
        else 1 end);
    end if;
    if asked.suspended = 1 then
      outcome := 'suspended';
      return next;
      continue;
    end if;
    -- A window that seems to start in the future is over: the clock was set back.
    if at_ms < window_start or at_ms >= window_start + 60000 then
      window_start := at_ms;
      window_number := window_number + 1;
      requests := 0;
      tokens := 0;
    end if;
    requests := requests + 1;
    -- Others pay nothing for it: neither keys without a ceiling, nor requests that hold nothing.
    if key_ceiling_nano is not null and asked.cost is not null and requests <= tier_requests[tier] then
      spot := array_position(limited, key_id);
      if spot is null then
        select u.spent_nano, u.held_nano into key_spent_nano, key_held_nano
        from use_of_key(account_id, key_id, greatest(asked.spent_day, today)) u;
        limited := limited || key_id;
        limited_spent := limited_spent || key_spent_nano;
        limited_held := limited_held || key_held_nano;
        spot := cardinality(limited);
      else
        key_spent_nano := limited_spent[spot];
        key_held_nano := limited_held[spot];
      end if;
    end if;
    if requests > tier_requests[tier] then
      outcome := 'requests';
    elsif asked.cost is null then
      outcome := 'counted';
    elsif ceiling_nano is not null and asked.spent_today + held_nano >= ceiling_nano then
      outcome := 'ceiling';
    elsif key_spent_nano + key_held_nano + asked.cost > key_ceiling_nano then
      outcome := 'key_ceiling';
    elsif balance_nano - held_nano < asked.cost then
      outcome := 'balance';
    elsif tokens + asked.wanted > tier_tokens[tier] then
      outcome := 'tokens';
    else
      outcome := 'admitted';
      held_nano := held_nano + asked.cost;
      if key_held_nano is not null then
        limited_held[spot] := key_held_nano + asked.cost;
      end if;
      tokens := tokens + asked.wanted;
      placed := placed
        || row(asked.request_id, account_id, replica, asked.cost, asked.wanted, window_number, key_id)::gate_hold;
    end if;
    return next;
  end loop;
  if account_id is not null then
    changed := changed
      || row(account_id, window_start, window_number, requests, tokens, held_nano)::gate_account;
  end if;
  insert into gate_hold select * from unnest(placed);
  update gate_account g set window_start = c.window_start, window_number = c.window_number,
    requests = c.requests, tokens = c.tokens, held_nano = c.held_nano
  from unnest(changed) c where g.account_id = c.account_id;
end $$;
SET default_tablespace = '';
CREATE TABLE public.transfer (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
)
PARTITION BY RANGE (reference);
CREATE FUNCTION public.check_fold(label text, next_month date, staying public.transfer[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.close_month(month date) RETURNS json
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.commit_charges(charges json, at_ms bigint, today text) RETURNS json
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  request_ids text[] := array(select c ->> 'requestId' from json_array_elements(charges) c);
  account_ids text[] := array(select distinct c ->> 'accountId' from json_array_elements(charges) c);
  -- Between these two are few months, mostly one: the partitions of the others are not opened.
  first_id text;
  last_id text;
  outcome json;
  stranger text;
  closed_id text;
begin
  select min(id collate "C"), max(id collate "C") into first_id, last_id from unnest(request_ids) id;
  -- A month that is being closed (close-months.sql) takes no charge, and none is closed while it takes one.
  if first_id < first_key_of('req_', (date_trunc('month', now() at time zone 'utc') - interval '1 month')::date)
    and not pg_try_advisory_xact_lock_shared(hashtext('parley close_month'))
  then
    raise exception 'the month of request % may be just being closed: it is not charged', first_id;
  end if;
  perform from balance b where b.account_id = any (account_ids)
  order by b.account_id for no key update;
  select id into stranger from unnest(account_ids) id
  where id not in (select b.account_id from balance b where b.account_id = any (account_ids)) limit 1;
  if stranger is not null then
    raise exception 'account % has no balance', stranger;
  end if;
  with
  asked as (
    select * from rows from (json_to_recordset(charges) as (
      "requestId" text, "accountId" text, "keyId" text, "brand" text, "model" text,
      "promptTokens" bigint, "completionTokens" bigint, "usageSource" text, "cost" bigint,
      "finishReason" text, "ended" text, "createdAtMs" bigint, "durationMs" bigint,
      "firstTokenMs" bigint
    )) with ordinality as asked (
      request_id, account_id, key_id, brand, model, prompt_tokens, completion_tokens, usage_source,
      cost, finish_reason, ended, created_at, duration_ms, first_token_ms, place
    )
  ),
  known as materialized (
    select r.request_id, r.charged_nano, r.written_off_nano from receipt r
    where r.request_id = any (request_ids) and r.request_id between first_id and last_id
  ),
  -- A request that has its receipt already is charged nothing. Of one whose month is closed nobody knows.
  fresh as (
    select distinct on (a.request_id) a.* from asked a
    where a.request_id not in (select request_id from known)
      and not exists (
        select from closing c where c.only_row = 1
          and a.request_id collate "C" >= 'req_' and a.request_id collate "C" < c.open_from
      )
    order by a.request_id, a.place
  ),
  priced as (
    select f.*,
      -- A charge takes no balance below zero: what it cannot pay is the operator's loss, booked as such.
      least(f.cost, greatest(b.balance_nano - (sum(f.cost) over earlier - f.cost), 0))::bigint as charged,
      -- A clock that was set back must not reopen a day whose total has been closed.
      greatest(b.spent_day, today) as day
    from fresh f join balance b on b.account_id = f.account_id and b.account_id = any (account_ids)
    window earlier as (partition by f.account_id order by f.place)
  ),
  receipts as (
    insert into receipt (
      request_id, account_id, key_id, brand, model, prompt_tokens, completion_tokens, usage_source,
      charged_nano, written_off_nano, finish_reason, ended, day, created_at, charged_at,
      duration_ms, first_token_ms
    )
    select request_id, account_id, key_id, brand, model, prompt_tokens, completion_tokens,
      usage_source, charged, cost - charged, finish_reason, ended, day, created_at, at_ms,
      duration_ms, first_token_ms
    from priced
  ),
  transfers as (
    insert into transfer (reference, debit, credit, amount_nano, kind, created_at)
    select 'charge:' || request_id, account_id, 'book:revenue', charged, 'charge', at_ms
    from priced where charged > 0
    union all
    select 'write_off:' || request_id, 'book:written_off', 'book:revenue', cost - charged, 'write_off', at_ms
    from priced where cost > charged
  ),
  days as (
    insert into account_day as d (
      account_id, day, brand, key_id, requests, prompt_tokens, completion_tokens, charged_nano,
      written_off_nano
    )
    select account_id, day, brand, key_id, count(*), sum(prompt_tokens), sum(completion_tokens),
      sum(charged), sum(cost - charged)
    from priced group by account_id, day, brand, key_id
    on conflict (account_id, day, brand, key_id) do update set
      requests = d.requests + excluded.requests,
      prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = d.completion_tokens + excluded.completion_tokens,
      charged_nano = d.charged_nano + excluded.charged_nano,
      written_off_nano = d.written_off_nano + excluded.written_off_nano
  ),
  paid as (
    update balance b set
      balance_nano = b.balance_nano - p.charged,
      spent_nano = case when b.spent_day = p.day then b.spent_nano else 0 end + p.charged,
      spent_day = p.day,
      version = b.version + p.charges
    from (
      select account_id, max(day) as day, sum(charged) as charged, count(*) as charges
      from priced group by account_id
    ) p
    where b.account_id = p.account_id and b.account_id = any (account_ids)
    returning b.*
  ),
  -- This statement does not see what it has itself changed: balances without a new charge are as
  -- they were, the others as they were returned.
  funds as (
    select * from paid
    union all
    select b.* from balance b
    where b.account_id = any (account_ids) and b.account_id not in (select account_id from paid)
  )
  select json_agg(json_build_object(
    'charged', coalesce(p.charged, k.charged_nano),
    'writtenOff', coalesce(p.cost - p.charged, k.written_off_nano),
    'funds', json_build_object(
      'balance', f.balance_nano, 'deposits', f.deposits_nano, 'spentDay', f.spent_day,
      'spent', f.spent_nano, 'version', f.version)
  ) order by a.place),
    min(a.request_id) filter (where p.request_id is null and k.request_id is null)
  into outcome, closed_id
  from asked a
  join funds f on f.account_id = a.account_id
  left join priced p on p.request_id = a.request_id
  left join known k on k.request_id = a.request_id;
  if closed_id is not null then
    raise exception 'the month of request % is closed: it is not charged, and may have been before', closed_id;
  end if;
  return coalesce(outcome, '[]'::json);
end $$;
CREATE FUNCTION public.epoch_ms() RETURNS bigint
    LANGUAGE sql
    AS $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;
CREATE FUNCTION public.first_key_of(prefix text, month date) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select prefix || lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0')
$$;
CREATE FUNCTION public.fold_receipts(label text, last_day text, end_key text) RETURNS bigint
    LANGUAGE sql
    AS $$
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
CREATE FUNCTION public.lock_for_change(names text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.lock_gate_accounts(wanted text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into gate_account
  select w.id, -60000, 0, 0, 0, 0 from (select distinct unnest(wanted) as id) w
  where not exists (select from gate_account g where g.account_id = w.id)
  order by w.id
  on conflict do nothing;
  perform from gate_account g where g.account_id = any (wanted) order by g.account_id for update;
end $$;
CREATE FUNCTION public.make_partitions(first_month date, months integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.next_month_to_close(months_kept integer) RETURNS date
    LANGUAGE plpgsql STABLE
    AS $_$
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
end $_$;
CREATE FUNCTION public.renew_lease(replica text, lease_ms bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  update gate_replica r set expires_at = epoch_ms() + lease_ms where r.id = replica;
  return found;
end $$;
CREATE FUNCTION public.restore_holds(replica text, lease_ms bigint, opens_after_ms bigint, request_ids text[], account_ids text[], key_ids text[], costs bigint[], reserved_tokens bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into gate_opening (opens_at) values (epoch_ms() + opens_after_ms) on conflict do nothing;
  insert into gate_replica values (replica, epoch_ms() + lease_ms)
  on conflict (id) do update set expires_at = excluded.expires_at;
  perform lock_gate_accounts(account_ids);
  with restored as (
    -- Their windows may be gone: no window has the number -1.
    insert into gate_hold
    select h.request_id, h.account_id, replica, h.cost, h.tokens, -1, h.key_id
    from unnest(request_ids, account_ids, key_ids, costs, reserved_tokens)
      as h (request_id, account_id, key_id, cost, tokens)
    on conflict do nothing
    returning account_id, cost_nano
  )
  update gate_account g set held_nano = g.held_nano + r.cost_nano
  from (select account_id, sum(cost_nano) as cost_nano from restored group by account_id) r
  where g.account_id = r.account_id;
end $$;
CREATE FUNCTION public.settle_holds(request_ids text[], used_tokens bigint[]) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  windows json;
begin
  perform from gate_account g
  where g.account_id in (select h.account_id from gate_hold h where h.request_id = any (request_ids))
  order by g.account_id for update;
  with
  ended as (
    delete from gate_hold h using unnest(request_ids, used_tokens) as u (request_id, tokens)
    where h.request_id = u.request_id
    returning h.request_id, h.account_id, h.cost_nano, h.tokens as reserved, u.tokens as used,
      h.window_number
  ),
  freed as (
    update gate_account g set held_nano = g.held_nano - e.cost_nano, tokens = g.tokens + e.tokens
    from (
      select e.account_id, sum(e.cost_nano) as cost_nano,
        coalesce(sum(e.used - e.reserved) filter (where e.window_number = a.window_number), 0) as tokens
      from ended e join gate_account a on a.account_id = e.account_id
      group by e.account_id
    ) e
    where g.account_id = e.account_id
    returning g.account_id, g.window_start, g.requests, g.tokens
  )
  select json_object_agg(e.request_id, json_build_object(
    'atMs', epoch_ms(), 'windowStartMs', f.window_start, 'requests', f.requests, 'tokens', f.tokens))
  into windows
  from ended e join freed f on f.account_id = e.account_id;
  return windows;
end $$;
CREATE FUNCTION public.sweep_holds() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  orphans text[];
  reserved bigint[];
begin
  delete from gate_replica r where r.id in (
    select d.id from gate_replica d where d.expires_at < epoch_ms()
    order by d.id for update skip locked
  );
  -- One statement for both lists: a replica taken for dead may end holds of its own meanwhile.
  select coalesce(array_agg(h.request_id), '{}'), coalesce(array_agg(h.tokens), '{}')
  into orphans, reserved
  from gate_hold h
  where not exists (select from gate_replica r where r.id = h.replica_id);
  if cardinality(orphans) > 0 then
    -- What was reserved stays counted in its window: whether it was used is not known.
    perform settle_holds(orphans, reserved);
  end if;
  return cardinality(orphans);
end $$;
CREATE FUNCTION public.use_of_key(account text, key text, on_day text, OUT spent_nano bigint, OUT held_nano bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  select
    (select coalesce(sum(d.charged_nano), 0) from account_day d
      where d.account_id = account and d.day = on_day and d.key_id = key),
    (select coalesce(sum(h.cost_nano), 0) from gate_hold h where h.key_id = key)
  into spent_nano, held_nano;
end $$;
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id text NOT NULL,
    person_id text NOT NULL,
    min_tier bigint NOT NULL,
    daily_ceiling_nano bigint,
    suspended bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.account_day (
    account_id text NOT NULL,
    day text NOT NULL,
    brand text NOT NULL,
    key_id text NOT NULL,
    requests bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL
);
CREATE TABLE public.alert_sent (
    account_id text NOT NULL,
    kind text NOT NULL,
    level bigint NOT NULL,
    period bigint NOT NULL,
    sent_at bigint NOT NULL
);
CREATE TABLE public.alert_setting (
    account_id text NOT NULL,
    low_balance_nano bigint,
    ceiling_alerts bigint NOT NULL
);
CREATE TABLE public.api_key (
    id text NOT NULL,
    account_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    kind text DEFAULT 'secret'::text NOT NULL,
    expires_at bigint,
    daily_ceiling_nano bigint
);
CREATE TABLE public.audit (
    id text NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    account_id text,
    details text NOT NULL
);
CREATE TABLE public.balance (
    account_id text NOT NULL,
    balance_nano bigint NOT NULL,
    deposits_nano bigint NOT NULL,
    spent_day text NOT NULL,
    spent_nano bigint NOT NULL,
    version bigint NOT NULL,
    raises bigint DEFAULT 0 NOT NULL,
    raised_to_nano bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.billing_document (
    number text NOT NULL,
    kind text NOT NULL,
    topup_id text NOT NULL,
    account_id text NOT NULL,
    amount_nano bigint NOT NULL,
    seller text NOT NULL,
    buyer text NOT NULL,
    issued_at bigint NOT NULL,
    CONSTRAINT billing_document_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.brand_switch (
    brand text NOT NULL,
    enabled bigint NOT NULL
);
CREATE TABLE public.closing (
    only_row bigint DEFAULT 1 NOT NULL,
    through_day text NOT NULL,
    open_from text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT closing_only_row_check CHECK ((only_row = 1))
);
CREATE TABLE public.credential (
    id text NOT NULL,
    user_id text NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at bigint,
    refresh_token_expires_at bigint,
    scope text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.credited_address (
    fingerprint text NOT NULL,
    person_id text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.document_counter (
    series text NOT NULL,
    last_number bigint NOT NULL
);
CREATE UNLOGGED TABLE public.gate_account (
    account_id text NOT NULL,
    window_start bigint NOT NULL,
    window_number bigint NOT NULL,
    requests bigint NOT NULL,
    tokens bigint NOT NULL,
    held_nano bigint NOT NULL
)
WITH (fillfactor='50');
CREATE UNLOGGED TABLE public.gate_hold (
    request_id text NOT NULL,
    account_id text NOT NULL,
    replica_id text NOT NULL,
    cost_nano bigint NOT NULL,
    tokens bigint NOT NULL,
    window_number bigint NOT NULL,
    key_id text
);
CREATE UNLOGGED TABLE public.gate_opening (
    only_row boolean DEFAULT true NOT NULL,
    opens_at bigint NOT NULL,
    CONSTRAINT gate_opening_only_row_check CHECK (only_row)
);
CREATE UNLOGGED TABLE public.gate_replica (
    id text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.lock_out (
    key text NOT NULL,
    failures bigint NOT NULL,
    locked_until bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.oidc_artifact (
    model text NOT NULL,
    id text NOT NULL,
    payload text NOT NULL,
    grant_id text,
    uid text,
    account_id text,
    client_id text,
    created_at bigint NOT NULL,
    consumed_at bigint,
    used_at bigint,
    expires_at bigint
);
CREATE TABLE public.oidc_client (
    client_id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    secret_hash text,
    redirect_uris text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.passkey (
    id text NOT NULL,
    user_id text NOT NULL,
    name text,
    public_key text NOT NULL,
    credential_id text NOT NULL,
    counter bigint NOT NULL,
    device_type text NOT NULL,
    backed_up bigint NOT NULL,
    transports text,
    aaguid text,
    created_at bigint
);
CREATE TABLE public.payment_event (
    id text NOT NULL,
    kind text NOT NULL,
    topup_id text,
    payment_id text,
    dispute_id text,
    amount_nano bigint,
    currency text,
    created_at bigint NOT NULL,
    received_at bigint NOT NULL
);
CREATE TABLE public.person (
    id text NOT NULL,
    email text NOT NULL,
    name text,
    plan text NOT NULL,
    created_at bigint NOT NULL,
    email_verified bigint DEFAULT 0 NOT NULL,
    picture text,
    role text DEFAULT 'customer'::text NOT NULL,
    two_factor_enabled bigint DEFAULT 0 NOT NULL,
    updated_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.rate_limit (
    id text NOT NULL,
    key text NOT NULL,
    count bigint NOT NULL,
    last_request bigint NOT NULL
);
CREATE TABLE public.receipt (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
)
PARTITION BY RANGE (request_id);
CREATE TABLE public.receipt_2026_09 (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.receipt_2026_10 (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.receipt_2026_11 (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.receipt_2026_12 (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.receipt_2027_01 (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.receipt_other (
    request_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL,
    key_id text NOT NULL,
    brand text NOT NULL,
    model text NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    usage_source text NOT NULL,
    charged_nano bigint NOT NULL,
    written_off_nano bigint NOT NULL,
    finish_reason text,
    ended text NOT NULL,
    day text NOT NULL,
    created_at bigint NOT NULL,
    charged_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    first_token_ms bigint,
    CONSTRAINT receipt_charged_nano_check CHECK ((charged_nano >= 0)),
    CONSTRAINT receipt_written_off_nano_check CHECK ((written_off_nano >= 0))
);
CREATE TABLE public.sandbox_event (
    id text NOT NULL,
    session_id text NOT NULL,
    act text NOT NULL,
    payload text NOT NULL,
    created_at bigint NOT NULL,
    told_at bigint
);
CREATE TABLE public.sandbox_payment (
    session_id text NOT NULL,
    payment_id text NOT NULL,
    topup_id text NOT NULL,
    amount_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    state text NOT NULL,
    return_url text NOT NULL,
    created_at bigint NOT NULL,
    dispute text,
    disputed_cents bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.secret_check (
    id text NOT NULL,
    fingerprint text NOT NULL
);
CREATE TABLE public.session (
    id text NOT NULL,
    token text NOT NULL,
    user_id text NOT NULL,
    ip_address text,
    user_agent text,
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.sign_in_link (
    id text NOT NULL,
    token_hash text NOT NULL,
    person_id text NOT NULL,
    made_by text NOT NULL,
    makes_operator bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint
);
CREATE TABLE public.signing_key (
    kid text NOT NULL,
    sealed_jwk text NOT NULL,
    created_at bigint NOT NULL,
    signs_from bigint NOT NULL
);
CREATE TABLE public.topup (
    id text NOT NULL,
    account_id text NOT NULL,
    amount_nano bigint NOT NULL,
    provider text NOT NULL,
    is_test bigint NOT NULL,
    state text NOT NULL,
    session_id text,
    payment_id text,
    refunded_nano bigint NOT NULL,
    dispute text,
    suspended_account bigint NOT NULL,
    created_at bigint NOT NULL,
    paid_at bigint,
    CONSTRAINT topup_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_charge_2026_09 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_charge_2026_10 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_charge_2026_11 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_charge_2026_12 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_charge_2027_01 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_credit (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_first (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_last (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_other (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_write_off_2026_09 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_write_off_2026_10 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_write_off_2026_11 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_write_off_2026_12 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.transfer_write_off_2027_01 (
    reference text NOT NULL COLLATE pg_catalog."C",
    debit text NOT NULL,
    credit text NOT NULL,
    amount_nano bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT transfer_amount_nano_check CHECK ((amount_nano > 0))
);
CREATE TABLE public.two_factor (
    id text NOT NULL,
    user_id text NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified bigint,
    failed_verification_count bigint,
    locked_until bigint,
    last_step bigint
);
CREATE TABLE public.verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_2026_09 FOR VALUES FROM ('req_01a05a43fc00') TO ('req_01a0f4c2c400');
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_2026_10 FOR VALUES FROM ('req_01a0f4c2c400') TO ('req_01a19467e800');
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_2026_11 FOR VALUES FROM ('req_01a19467e800') TO ('req_01a22ee6b000');
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_2026_12 FOR VALUES FROM ('req_01a22ee6b000') TO ('req_01a2ce8bd400');
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_2027_01 FOR VALUES FROM ('req_01a2ce8bd400') TO ('req_01a36e30f800');
ALTER TABLE ONLY public.receipt ATTACH PARTITION public.receipt_other DEFAULT;
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_charge_2026_09 FOR VALUES FROM ('charge:req_01a05a43fc00') TO ('charge:req_01a0f4c2c400');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_charge_2026_10 FOR VALUES FROM ('charge:req_01a0f4c2c400') TO ('charge:req_01a19467e800');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_charge_2026_11 FOR VALUES FROM ('charge:req_01a19467e800') TO ('charge:req_01a22ee6b000');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_charge_2026_12 FOR VALUES FROM ('charge:req_01a22ee6b000') TO ('charge:req_01a2ce8bd400');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_charge_2027_01 FOR VALUES FROM ('charge:req_01a2ce8bd400') TO ('charge:req_01a36e30f800');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_credit FOR VALUES FROM ('charge:req`') TO ('write_off:req_');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_first FOR VALUES FROM (MINVALUE) TO ('charge:req_');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_last FOR VALUES FROM ('write_off:req`') TO (MAXVALUE);
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_other DEFAULT;
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_write_off_2026_09 FOR VALUES FROM ('write_off:req_01a05a43fc00') TO ('write_off:req_01a0f4c2c400');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_write_off_2026_10 FOR VALUES FROM ('write_off:req_01a0f4c2c400') TO ('write_off:req_01a19467e800');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_write_off_2026_11 FOR VALUES FROM ('write_off:req_01a19467e800') TO ('write_off:req_01a22ee6b000');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_write_off_2026_12 FOR VALUES FROM ('write_off:req_01a22ee6b000') TO ('write_off:req_01a2ce8bd400');
ALTER TABLE ONLY public.transfer ATTACH PARTITION public.transfer_write_off_2027_01 FOR VALUES FROM ('write_off:req_01a2ce8bd400') TO ('write_off:req_01a36e30f800');
INSERT INTO public.account VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', 'per_01a201d35c11772e8c4159bbc538c102', 1, 15000000000, 0, 1795176000000);
INSERT INTO public.account VALUES ('acc_01a201d366c177b79a57c2eacfce3453', 'per_01a201d366c177b79a57bef35169fb15', 1, NULL, 0, 1795176000000);
INSERT INTO public.account VALUES ('acc_01a201d366ec774fb8e9713a63cb70d4', 'per_01a201d366c177b79a57bef35169fb15', 1, NULL, 0, 1795176000000);
INSERT INTO public.account VALUES ('acc_01a201d3673272c481f48d273cca3eba', 'per_01a201d3673272c481f48bf3ae6d917a', 1, NULL, 1, 1795176000000);
INSERT INTO public.account VALUES ('acc_01a201d36746725f863395305299f12c', 'per_01a201d36745733b94f378efceddf0b8', 3, NULL, 0, 1795176000000);
INSERT INTO public.account VALUES ('acc_01a201d3686973ae92a1024b713affc6', 'per_01a201d36846737191d2f3c7bb8543e9', 1, NULL, 0, 1795176000000);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-09-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234575, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-09-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234575, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-10-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234576, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-10-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234576, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234577, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234577, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 22, 81, 256820, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'prime', 'key_01a201d3659f759eaa1454547c86c71a', 1, 23, 81, 543600, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 23, 97, 995100, 0);
INSERT INTO public.account_day VALUES ('acc_01a201d366ec774fb8e9713a63cb70d4', '2026-11-20', 'air', 'key_01a201d36728726c9490913df3e3bf88', 1, 10, 5, 2000, 7000);
INSERT INTO public.api_key VALUES ('key_01a201d3659f759eaa1454547c86c71a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'production', 'c0218c3cbde1fb8cda56d09d70bbeafa43af9f9404fbb7c9a8399e04b2a91b93', 'svc_live_mt89', 'vtEU', 1795176000000, NULL, 'secret', NULL, 10000000000);
INSERT INTO public.api_key VALUES ('key_01a201d365c0770e931238a2234303b8', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'old', 'bee9d21171d6cb4b643679c3b06a9bcc2e3741a75fb7140d89b0f45c35ad4812', 'svc_live_chwa', 'HiAt', 1795176000000, 1795176000000, 'secret', NULL, NULL);
INSERT INTO public.api_key VALUES ('key_01a201d366d3736189813be600933b22', 'acc_01a201d366c177b79a57c2eacfce3453', 'test', 'd4676af64bff9a48d5e9857604d51f94303b82263d6badf45f7a86606fe555f5', 'svc_live_NdFQ', 'N0PP', 1795176000000, NULL, 'secret', NULL, NULL);
INSERT INTO public.api_key VALUES ('key_01a201d36728726c9490913df3e3bf88', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'test', 'd7861ea124f4b255b841663a48c33a340ff64ac8d77ae0aeb911e15c137ed0e1', 'svc_live_FLuR', 'KXbt', 1795176000000, NULL, 'secret', NULL, NULL);
INSERT INTO public.api_key VALUES ('key_01a201d367417074a86f32a644b30aff', 'acc_01a201d3673272c481f48d273cca3eba', 'test', '95f3b58fb3f6665b4e36808fb42bd1f1d30bc38079730eb6a224529c2ea478cd', 'svc_live_zP8d', '0gat', 1795176000000, NULL, 'secret', NULL, NULL);
INSERT INTO public.api_key VALUES ('key_01a201d3675875ba8bb04c8fa90fe6e9', 'acc_01a201d36746725f863395305299f12c', 'test', '161bd574b24f8d0e6751086e7b3d8323bfa91fb37a764f6d93123581f33086af', 'svc_live_k6CW', 'qnWQ', 1795176000000, NULL, 'secret', NULL, NULL);
INSERT INTO public.audit VALUES ('aud_01a201d35c3e75e8969214ca1d5bb6d6', 1795176000000, 'per_01a201d35c11772e8c4159bbc538c102', 'account.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{}');
INSERT INTO public.audit VALUES ('aud_01a201d3656677299066a0f1a0e37cb2', 1795176000000, 'payments', 'topup.paid', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5","amount_eur":"50.00"}');
INSERT INTO public.audit VALUES ('aud_01a201d3656e721d928de552bec5898d', 1795176000000, 'payments', 'topup.reversed', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5","kind":"refund","amount_eur":"25.00"}');
INSERT INTO public.audit VALUES ('aud_01a201d3659f759eaa145a2f06879d21', 1795176000000, 'operator', 'key.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d3659f759eaa1454547c86c71a","name":"production","daily_ceiling_eur":"10.00"}');
INSERT INTO public.audit VALUES ('aud_01a201d365c3778188a75d55a59a5ba3', 1795176000000, 'operator', 'key.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d365c0770e931238a2234303b8","name":"old"}');
INSERT INTO public.audit VALUES ('aud_01a201d365d676f78dd116ec0f16e4d8', 1795176000000, 'operator', 'key.revoked', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d365c0770e931238a2234303b8"}');
INSERT INTO public.audit VALUES ('aud_01a201d365ea714c846bd9a787216641', 1795176000000, 'operator', 'account.changed', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"daily_ceiling_eur":"15.00"}');
INSERT INTO public.audit VALUES ('aud_01a201d366c177b79a57c616830c12c1', 1795176000000, 'operator', 'account.created', 'acc_01a201d366c177b79a57c2eacfce3453', '{}');
INSERT INTO public.audit VALUES ('aud_01a201d366d4755585564e190b49862c', 1795176000000, 'operator', 'key.created', 'acc_01a201d366c177b79a57c2eacfce3453', '{"key_id":"key_01a201d366d3736189813be600933b22","name":"test"}');
INSERT INTO public.audit VALUES ('aud_01a201d366ed73f0a141a1e0e7a3d554', 1795176000000, 'operator', 'account.created', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{}');
INSERT INTO public.audit VALUES ('aud_01a201d366fb71d59853a880ccdb4465', 1795176000000, 'operator', 'credit.booked', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{"kind":"grant","amount_eur":"0.000002","reference":"credit-1"}');
INSERT INTO public.audit VALUES ('aud_01a201d36728726c949096020545bb7f', 1795176000000, 'operator', 'key.created', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{"key_id":"key_01a201d36728726c9490913df3e3bf88","name":"test"}');
INSERT INTO public.audit VALUES ('aud_01a201d367337205915ffd735b58d14e', 1795176000000, 'operator', 'account.created', 'acc_01a201d3673272c481f48d273cca3eba', '{}');
INSERT INTO public.audit VALUES ('aud_01a201d3673b744e9159274d59d52063', 1795176000000, 'operator', 'account.changed', 'acc_01a201d3673272c481f48d273cca3eba', '{"suspended":true}');
INSERT INTO public.audit VALUES ('aud_01a201d367417074a86f34f06dd76092', 1795176000000, 'operator', 'key.created', 'acc_01a201d3673272c481f48d273cca3eba', '{"key_id":"key_01a201d367417074a86f32a644b30aff","name":"test"}');
INSERT INTO public.audit VALUES ('aud_01a201d36746725f8633984f14d6ea82', 1795176000000, 'operator', 'account.created', 'acc_01a201d36746725f863395305299f12c', '{}');
INSERT INTO public.audit VALUES ('aud_01a201d3674d7236aa7a1022e89eb9be', 1795176000000, 'operator', 'credit.booked', 'acc_01a201d36746725f863395305299f12c', '{"kind":"deposit","amount_eur":"120.00","reference":"credit-2"}');
INSERT INTO public.audit VALUES ('aud_01a201d36752758dbb529d73c53350dc', 1795176000000, 'operator', 'account.changed', 'acc_01a201d36746725f863395305299f12c', '{"min_tier":3}');
INSERT INTO public.audit VALUES ('aud_01a201d3675875ba8bb053ebe067d0b9', 1795176000000, 'operator', 'key.created', 'acc_01a201d36746725f863395305299f12c', '{"key_id":"key_01a201d3675875ba8bb04c8fa90fe6e9","name":"test"}');
INSERT INTO public.audit VALUES ('aud_01a201d367627475960fbb7d1792e7ca', 1795176000000, 'operator', 'model.switched', NULL, '{"brand":"nova","enabled":false}');
INSERT INTO public.audit VALUES ('aud_01a201d3686973ae92a106613d1d46fb', 1795176000000, 'per_01a201d36846737191d2f3c7bb8543e9', 'account.created', 'acc_01a201d3686973ae92a1024b713affc6', '{}');
INSERT INTO public.balance VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', 25990797024, 25000000000, '2026-11-20', 1795520, 13, 2, 51000000000);
INSERT INTO public.balance VALUES ('acc_01a201d366c177b79a57c2eacfce3453', 1000000000, 0, '', 0, 2, 1, 1000000000);
INSERT INTO public.balance VALUES ('acc_01a201d366ec774fb8e9713a63cb70d4', 0, 0, '2026-11-20', 2000, 3, 1, 2000);
INSERT INTO public.balance VALUES ('acc_01a201d3673272c481f48d273cca3eba', 1000000000, 0, '', 0, 2, 1, 1000000000);
INSERT INTO public.balance VALUES ('acc_01a201d36746725f863395305299f12c', 121000000000, 120000000000, '', 0, 3, 2, 121000000000);
INSERT INTO public.balance VALUES ('acc_01a201d3686973ae92a1024b713affc6', 1000000000, 0, '', 0, 2, 1, 1000000000);
INSERT INTO public.billing_document VALUES ('R-2026-000001', 'receipt', 'top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, '{"name":"svc","address":"Somewhere 1","vatRate":0}', 'Somebody, ana@example.com', 1795176000000);
INSERT INTO public.billing_document VALUES ('C-2026-000001', 'credit_note', 'top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 25000000000, '{"name":"svc","address":"Somewhere 1","vatRate":0}', 'Somebody, ana@example.com', 1795176000000);
INSERT INTO public.brand_switch VALUES ('nova', 0);
INSERT INTO public.credential VALUES ('row_01a201d35c28712c8296a73bdb1d7283', 'per_01a201d35c11772e8c4159bbc538c102', 'per_01a201d35c11772e8c4159bbc538c102', 'credential', '$argon2id$v=19$m=19456,t=2,p=1$PwkIqv2MzAySvXek7WQe7Q$xa/jvlxnETo8Px0m0QPxjp4tk6HxwPQLUhxGCSMhBtE', NULL, NULL, NULL, NULL, NULL, NULL, 1795326958631, 1795326958631);
INSERT INTO public.credential VALUES ('row_01a201d36851702eaf8715a1dfcdaeed', 'per_01a201d36846737191d2f3c7bb8543e9', 'per_01a201d36846737191d2f3c7bb8543e9', 'credential', '$argon2id$v=19$m=19456,t=2,p=1$zRjAgjXMxc9PKMhg9KWCGQ$ZzVpmLqAPcZsWqZnyXMSBxaWL0S0Cl0FGqxBeUzy6I4', NULL, NULL, NULL, NULL, NULL, NULL, 1795326961745, 1795326961745);
INSERT INTO public.credited_address VALUES ('XPO7dXVLuGgyaCIZORPWmfUkIegHulPUNF-ssBBeE2s', 'per_01a201d35c11772e8c4159bbc538c102', 1795176000000);
INSERT INTO public.credited_address VALUES ('MCX7B159mtR9sGnMkUpK3VCjd0oUSihmIDEsuESw8YA', 'per_01a201d36846737191d2f3c7bb8543e9', 1795176000000);
INSERT INTO public.document_counter VALUES ('R-2026', 1);
INSERT INTO public.document_counter VALUES ('C-2026', 1);
INSERT INTO public.gate_account VALUES ('acc_01a201d35c3a755899a4a54c0d8a6c16', 1795176000000, 1, 1, 4118, 12703320);
INSERT INTO public.gate_hold VALUES ('req_01a201d37d50736db021121ea8db8a3c', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'rep_01a201d37a6a727fb12ee2f4dc9feef6', 12703320, 4118, 1, 'key_01a201d3659f759eaa1454547c86c71a');
INSERT INTO public.gate_opening VALUES (true, 0);
INSERT INTO public.gate_replica VALUES ('rep_01a201d37a6a727fb12ee2f4dc9feef6', 1795326982186);
INSERT INTO public.kysely_migration VALUES ('0001_ledger', '2026-11-22T05:56:04.778Z');
INSERT INTO public.kysely_migration VALUES ('0002_accounts', '2026-11-22T05:56:04.808Z');
INSERT INTO public.kysely_migration VALUES ('0003_brand_switch', '2026-11-22T05:56:04.813Z');
INSERT INTO public.kysely_migration VALUES ('0004_gate', '2026-11-22T05:56:04.857Z');
INSERT INTO public.kysely_migration VALUES ('0005_closing', '2026-11-22T05:56:04.875Z');
INSERT INTO public.kysely_migration VALUES ('0006_person_profile', '2026-11-22T05:56:04.877Z');
INSERT INTO public.kysely_migration VALUES ('0007_people', '2026-11-22T05:56:05.062Z');
INSERT INTO public.kysely_migration VALUES ('0008_second_factors', '2026-11-22T05:56:05.180Z');
INSERT INTO public.kysely_migration VALUES ('0009_openid', '2026-11-22T05:56:05.244Z');
INSERT INTO public.kysely_migration VALUES ('0010_debts', '2026-11-22T05:56:05.248Z');
INSERT INTO public.kysely_migration VALUES ('0011_payments', '2026-11-22T05:56:05.375Z');
INSERT INTO public.kysely_migration VALUES ('0012_raises', '2026-11-22T05:56:05.381Z');
INSERT INTO public.kysely_migration VALUES ('0012_sandbox_events', '2026-11-22T05:56:05.411Z');
INSERT INTO public.kysely_migration VALUES ('0013_alerts', '2026-11-22T05:56:05.444Z');
INSERT INTO public.kysely_migration VALUES ('0014_entries', '2026-11-22T05:56:05.476Z');
INSERT INTO public.kysely_migration VALUES ('0015_console_keys', '2026-11-22T05:56:05.491Z');
INSERT INTO public.kysely_migration VALUES ('0015_key_limits', '2026-11-22T05:56:05.512Z');
INSERT INTO public.kysely_migration VALUES ('0015_key_limits_at_gate', '2026-11-22T05:56:05.585Z');
INSERT INTO public.kysely_migration VALUES ('0015_movements', '2026-11-22T05:56:05.636Z');
INSERT INTO public.kysely_migration VALUES ('0015_sign_in_links', '2026-11-22T05:56:05.688Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.oidc_artifact VALUES ('Grant', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', '{"iat":1795326959,"exp":1829886959,"accountId":"per_01a201d35c11772e8c4159bbc538c102","clientId":"chat","kind":"Grant","jti":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","openid":{"scope":"openid profile email plano offline_access"}}', NULL, NULL, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, NULL, 1795176000000, 1829736000000);
INSERT INTO public.oidc_artifact VALUES ('AuthorizationCode', 'l7fPEfyHBbU53mR45rRdhm5ZivvLuOnFTvuqRRKIx4o', '{"iat":1795326959,"exp":1795327019,"accountId":"per_01a201d35c11772e8c4159bbc538c102","authTime":1795326959,"codeChallenge":"s2Ai6stDjyUBrcxxduxZCcyNTDvSJzgV8_T8b5jfFGk","codeChallengeMethod":"S256","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","redirectUri":"https://app.example.com/callback","scope":"openid profile email plano offline_access","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"AuthorizationCode","clientId":"chat"}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', NULL, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, 1795176000000, NULL, 1795176060000);
INSERT INTO public.oidc_artifact VALUES ('Session', 'eS61s0hE1ubhYC6LDIUr_OLlSZetsNhD0Mwdj-UwJok', '{"iat":1795326959,"exp":1795931759,"uid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","accountId":"per_01a201d35c11772e8c4159bbc538c102","loginTs":1795326959,"kind":"Session","authorizations":{"chat":{"sid":"1nb_dSYxAYPqAuRGUUR4tUIdHIFldzs5wtYDTDpcnXW","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","persistsLogout":true}}}', NULL, 'gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp', 'per_01a201d35c11772e8c4159bbc538c102', NULL, 1795176000000, NULL, NULL, 1795780800000);
INSERT INTO public.oidc_artifact VALUES ('AccessToken', 'MdqJWfs48VNHiUffJbXWkm3f3PxDn-CrXZzvK4PHMs4', '{"iat":1795326959,"exp":1795330559,"accountId":"per_01a201d35c11772e8c4159bbc538c102","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","gty":"authorization_code","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"AccessToken","clientId":"chat","scope":"openid profile email plano offline_access"}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', NULL, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, NULL, NULL, 1795179600000);
INSERT INTO public.oidc_artifact VALUES ('RefreshToken', '7ABSwEuoJB0rtKicPiVaSjGuRWrqLIZa73buVsr1uTs', '{"iat":1795326959,"exp":1797918959,"accountId":"per_01a201d35c11772e8c4159bbc538c102","authTime":1795326959,"grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","gty":"authorization_code","rotations":0,"scope":"openid profile email plano offline_access","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"RefreshToken","clientId":"chat","iiat":1795326959}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', NULL, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, NULL, NULL, 1797768000000);
INSERT INTO public.oidc_client VALUES ('chat', 'The app chat', 'public', NULL, '["https://app.example.com/callback"]', 1795176000000);
INSERT INTO public.payment_event VALUES ('evt_01a201d3645071df92c15ef1f8c4fd8b', 'paid', 'top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', NULL, 50000000000, 'eur', 1795176000000, 1795176000000);
INSERT INTO public.payment_event VALUES ('evt_01a201d3656b7487960bbad49519b076', 'refunded', 'top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', NULL, 25000000000, 'eur', 1795176000000, 1795176000000);
INSERT INTO public.person VALUES ('per_01a201d35c11772e8c4159bbc538c102', 'ana@example.com', 'Somebody', 'FREE', 1795326958604, 1, NULL, 'customer', 0, 1795326958707);
INSERT INTO public.person VALUES ('per_01a201d366c177b79a57bef35169fb15', 'person-1@example.com', NULL, 'FREE', 1795176000000, 0, NULL, 'customer', 0, 1795176000000);
INSERT INTO public.person VALUES ('per_01a201d3673272c481f48bf3ae6d917a', 'person-2@example.com', NULL, 'FREE', 1795176000000, 0, NULL, 'customer', 0, 1795176000000);
INSERT INTO public.person VALUES ('per_01a201d36745733b94f378efceddf0b8', 'person-3@example.com', NULL, 'FREE', 1795176000000, 0, NULL, 'customer', 0, 1795176000000);
INSERT INTO public.person VALUES ('per_01a201d36846737191d2f3c7bb8543e9', 'bruno@example.com', 'Somebody', 'FREE', 1795326961733, 1, NULL, 'customer', 1, 1795326962037);
INSERT INTO public.receipt_2026_09 VALUES ('req_01a05cd72a0070e19e59a2eecda4498c', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234575, 0, 'stop', 'completed', '2026-09-01', 1788264000000, 1788264000000, 20, 10);
INSERT INTO public.receipt_2026_09 VALUES ('req_01a0a4f032007401a6a048074d286b35', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234575, 0, 'stop', 'completed', '2026-09-15', 1789473600000, 1789473600000, 20, 10);
INSERT INTO public.receipt_2026_10 VALUES ('req_01a0f755f20075d98dd9c6dd1e35057a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234576, 0, 'stop', 'completed', '2026-10-01', 1790856000000, 1790856000000, 20, 10);
INSERT INTO public.receipt_2026_10 VALUES ('req_01a13f6efa0077f7b3b7a07b1b5dad56', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234576, 0, 'stop', 'completed', '2026-10-15', 1792065600000, 1792065600000, 20, 10);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a196fb16007335804a7cc75127354f', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234577, 0, 'stop', 'completed', '2026-11-01', 1793534400000, 1793534400000, 20, 10);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a1df141e007041bd1155612a8f891d', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234577, 0, 'stop', 'completed', '2026-11-15', 1794744000000, 1794744000000, 20, 10);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a201d366887091977f2f0ecc1ec8d3', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 22, 81, 'upstream', 256820, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 31, 28);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a201d366b575c0a18f9f3d423acab5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'prime', 'svc-prime-v1', 23, 81, 'upstream', 543600, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 2, 1);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a201d366bb778b9d7a3d85a4f9fa04', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 23, 97, 'upstream', 995100, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 1, 1);
INSERT INTO public.receipt_2026_11 VALUES ('req_01a1f8d3ea0071bba4d79a1d952a73bc', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'key_01a201d36728726c9490913df3e3bf88', 'air', 'svc-air-v1', 10, 5, 'upstream', 2000, 7000, 'stop', 'completed', '2026-11-20', 1000, 1795176000000, 20, 10);
INSERT INTO public.sandbox_event VALUES ('evt_01a201d3645071df92c15ef1f8c4fd8b', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pay', '{"id":"evt_01a201d3645071df92c15ef1f8c4fd8b","object":"event","type":"checkout.session.completed","created":1795176000,"livemode":false,"data":{"object":{"id":"cs_test_top_01a201d363b2715a90b0c86f53e68bf5","object":"checkout.session","client_reference_id":"top_01a201d363b2715a90b0c86f53e68bf5","payment_intent":"pi_test_top_01a201d363b2715a90b0c86f53e68bf5","payment_status":"paid","amount_total":5000,"currency":"eur"}}}', 1795176000000, 1795176000000);
INSERT INTO public.sandbox_event VALUES ('evt_01a201d3656b7487960bbad49519b076', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'refund_half', '{"id":"evt_01a201d3656b7487960bbad49519b076","object":"event","type":"charge.refunded","created":1795176000,"livemode":false,"data":{"object":{"id":"ch_test_top_01a201d363b2715a90b0c86f53e68bf5","object":"charge","amount":5000,"amount_refunded":2500,"currency":"eur","payment_intent":"pi_test_top_01a201d363b2715a90b0c86f53e68bf5","metadata":{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5"}}}}', 1795176000000, 1795176000000);
INSERT INTO public.sandbox_payment VALUES ('cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', 'top_01a201d363b2715a90b0c86f53e68bf5', 5000, 2500, 'paid', 'http://127.0.0.1:39375/console/balance?topup=top_01a201d363b2715a90b0c86f53e68bf5', 1795176000000, NULL, 0);
INSERT INTO public.sandbox_payment VALUES ('cs_test_top_01a201d3658a72a98cf3aa9954604339', 'pi_test_top_01a201d3658a72a98cf3aa9954604339', 'top_01a201d3658a72a98cf3aa9954604339', 2000, 0, 'open', 'http://127.0.0.1:39375/console/balance?topup=top_01a201d3658a72a98cf3aa9954604339', 1795176000000, NULL, 0);
INSERT INTO public.secret_check VALUES ('secret', 'idaysD8F1F9Yb3gxRk7M3kem2ZksUmHmgN4R8ppCQSM');
INSERT INTO public.session VALUES ('row_01a201d35dad736eac1204f8aaa3c9dd', '8U28VmYEDnk9T4ImU0aojRgBZPA5MkMb', 'per_01a201d35c11772e8c4159bbc538c102', '10.0.0.3', 'node', 1795931759021, 1795326959021, 1795326959021);
INSERT INTO public.session VALUES ('row_01a201d3697a770b8b2e124d7cb63419', 'i8XlIyVUiWDNYxeuWofjetq3NSWeBBSD', 'per_01a201d36846737191d2f3c7bb8543e9', '10.0.0.10', 'node', 1795931762039, 1795326962039, 1795326962039);
INSERT INTO public.signing_key VALUES ('CwD2vY7xy1_K1XpM', '6jEl9lJjJ_b3HcJh7ojg8xIFurgHnVJLMRD3m2ZD96RFUm5adrTYxaTLjlSw6gFFbePKbfXp6dTvCx67_h3i0VQE7ZNuLO9pjlY3VqoGb0UlnvOL8Gci9LWw5UdmiZYBgp3ZKHhwPLAribVVx7K1OwbhoIfiiXKA5OcMewSDRW0zOExsQaUNGr52r-NtIC9j4ILmBrvwT3HL_7az5JbggttQlpcq-S6IeC-XOm5e8VmcdBChT6qDz61G73qbr5mqsNNDKS2HcWhMlS2g8j6Y8bgYecKA6tW0koay-vwxECVdhR3eXKi6HHnKhhRYp-lDwZ4lKe3mUhJieg_1tzJGe6Nz2jRtDfiWFewSyq0lezmn3uaV1tuBVLBjpjys_oOvWuZS-hNL_biRXLph9HK83Rkcl2QSkNFKFZj9hRPcujGZi9HtWGN7kgSE_8F67wg2qhkZ2T6BKoBbGfm7hhOnxQfQVeslpRT2pqAdL7h76qYIiRiz7naO5XcSeTiZNtB0GSTJfsARcPgnDVLTooLAxOGUQDekxaiwm8A5xXm_HOL9kIjGeSYb7t4xH5ssDAUDhoIe1_2bABVh1rpt3Lo8EqeBf0Jv4RPut-7IlfYjizJMUid1APtf31anz2HwqdkON0c9wK_dFJ5DvG25UeTEfrEpSlHdyyX9mUtbdlU7Vs8kVn46EYX96bj6KGF0KNhGOzT4k3NRDGWFrfhyl9NihohO0ku2rcaq3XyPSbM9zyATmM2zXpmCpJEGRa88lCQHzPzcerpk-uq6_-iT-7uwbLkc8YEtFdUUgdUejGPE9sk9w2ofGaGlLaIeOjOrm-xzWB5l1VWO883n9Xt_Mj6TDAfoEwtefiGXWgUB5tu8rRvfYgUjx-3mDdWWtKrkJwqJckJRoLND85ZadEPJzKRCSmT_WpUB8Qvg8IFh3QRtOjAGqii0QvHI-lscAhdynvbb61rohv4ksQeiN9O4nIon_7dfTk17w0wBOp8LnjBkAE_tsOfhbwYlsvWudBdgZUNOv-ZnqOS_pF1nwwjsiBOONAW2ByhVQsAWOiULYnPG2bn3ottzlivqvLZ248eF60eiq-xk-NsP7lf7Lvbydsg725qb79UNPZ3UV3iG1OQusj3YZCdnapC6Odmy0nppXcNYDRjmaczlIcPvdeXrh4SHIFsNNGe75VQLvSiTXCmNpBKwjoLWaL21UH8csOFvRxHiX_Q4ggKweyngQ0Iz_o_4kCbDxDvIiCa4uiE8inssFENFO8O47BjkbNQ5dSrZs8syxz1cpXqCOtZRAfi3MIatno6-Zv4jO14GyqmDUwDWrUy2i-F6tK2Z03KcPfpRlObGuP0tnYyr7MmysouoyMBLhtpR8MM6Fpmq8PNa4T9nX-MrWNq4_ygqRbBaQsoBSC09idd-S5C2SRu5xISKEC0pafVD97FrAp_IsbhdWZUtN8r-h_XXryd3oJp-BUUTjUuR4NiB15ekcsStPx7yrHWyY4K7ovMXVmBPK6MQHbx_7Z18tVh3rrZOwMG_YE3f0xKyYhPIZuHlhHs2jUnSB6i09Td58rfzEUiG3isrLHyJLmZDwDBNvVsblAoPLWt7gKB9zkN9aiR5TnRUMTLJJ5s-W0I3m2LGePRsgtcI41mUjI_msg_W9X0NW0r_AwVJOqmbyw_och248YlKXf5qUrEy5YUQvizjOV0ekbENDpB5puiIWfkZhCgc-iaFRffYquYYBcySntdy6skAaFp0TyEDY3LgBtS0-1M1DnKh2sBz-BYGGdBrwVBK_AOViFEAm9JAUCTIkipcFUJVqEcJ_Jf-XtG9BE2Sa8OOPMz_BC-Gkq3Q8l7T97EmfKNKRstTXE73uM-Q5sATM7yiacf8U8iD2T6WlpKthVxwras5yccL38wkXNBIvYkBUZ3ZDaTmLt67rdWM83iRK89kUXsBMVMcIoxjr-Yg9q2VEJa0cYeVw1uGjoluVjFhENOq7o6etwhjOKo85pyy88DR3zXsXEDoNdO58nBTaPYj6B0Gxt2rXjc7lEgFz_GiR2UlkBXB9eTKvYfQxoBZ2oLabJhGEqmN5AtpNcnHEx1zq1fxl09d4Ka8_ZnR6sWjHyDmweuZFmnVjeBKcEDy4AcuZyBDUzgpkiN2DWRBi4qDupV7QE_R_fvKxX1Pvkvbqo-DW3m9B33R-W-CFjn5cMSuLsJfpW3XZVi76LoRRlYwqr2xjl-Ot5Az853ypi6FITWD-rjWbvc0H2iRcIsyIDucZ6qgoOs', 1795176000000, 0);
INSERT INTO public.topup VALUES ('top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, 'sandbox', 1, 'paid', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', 25000000000, NULL, 0, 1795176000000, 1795176000000);
INSERT INTO public.topup VALUES ('top_01a201d3658a72a98cf3aa9954604339', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 20000000000, 'sandbox', 1, 'open', 'cs_test_top_01a201d3658a72a98cf3aa9954604339', NULL, 0, NULL, 0, 1795176000000, NULL);
INSERT INTO public.transfer_charge_2026_09 VALUES ('charge:req_01a05cd72a0070e19e59a2eecda4498c', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234575, 'charge', 1788264000000);
INSERT INTO public.transfer_charge_2026_09 VALUES ('charge:req_01a0a4f032007401a6a048074d286b35', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234575, 'charge', 1789473600000);
INSERT INTO public.transfer_charge_2026_10 VALUES ('charge:req_01a0f755f20075d98dd9c6dd1e35057a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234576, 'charge', 1790856000000);
INSERT INTO public.transfer_charge_2026_10 VALUES ('charge:req_01a13f6efa0077f7b3b7a07b1b5dad56', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234576, 'charge', 1792065600000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a196fb16007335804a7cc75127354f', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234577, 'charge', 1793534400000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a1df141e007041bd1155612a8f891d', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234577, 'charge', 1794744000000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a201d366887091977f2f0ecc1ec8d3', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 256820, 'charge', 1795176000000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a201d366b575c0a18f9f3d423acab5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 543600, 'charge', 1795176000000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a201d366bb778b9d7a3d85a4f9fa04', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 995100, 'charge', 1795176000000);
INSERT INTO public.transfer_charge_2026_11 VALUES ('charge:req_01a1f8d3ea0071bba4d79a1d952a73bc', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'book:revenue', 2000, 'charge', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('free-credit:per_01a201d35c11772e8c4159bbc538c102', 'book:grants', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 1000000000, 'grant', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('topup:top_01a201d363b2715a90b0c86f53e68bf5', 'book:cash', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, 'deposit', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('refund:top_01a201d363b2715a90b0c86f53e68bf5:25000000000', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:cash', 25000000000, 'refund', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('free-credit:per_01a201d366c177b79a57bef35169fb15', 'book:grants', 'acc_01a201d366c177b79a57c2eacfce3453', 1000000000, 'grant', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('credit:credit-1', 'book:grants', 'acc_01a201d366ec774fb8e9713a63cb70d4', 2000, 'grant', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('free-credit:per_01a201d3673272c481f48bf3ae6d917a', 'book:grants', 'acc_01a201d3673272c481f48d273cca3eba', 1000000000, 'grant', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('free-credit:per_01a201d36745733b94f378efceddf0b8', 'book:grants', 'acc_01a201d36746725f863395305299f12c', 1000000000, 'grant', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('credit:credit-2', 'book:cash', 'acc_01a201d36746725f863395305299f12c', 120000000000, 'deposit', 1795176000000);
INSERT INTO public.transfer_credit VALUES ('free-credit:per_01a201d36846737191d2f3c7bb8543e9', 'book:grants', 'acc_01a201d3686973ae92a1024b713affc6', 1000000000, 'grant', 1795176000000);
INSERT INTO public.transfer_write_off_2026_11 VALUES ('write_off:req_01a1f8d3ea0071bba4d79a1d952a73bc', 'book:written_off', 'book:revenue', 7000, 'write_off', 1795176000000);
INSERT INTO public.two_factor VALUES ('row_01a201d3694b70a494bcbac7d6a2a508', 'per_01a201d36846737191d2f3c7bb8543e9', 'eb156bf11474cd33e11192c8ae8fdb72d36d826be38c05b9f135d1efe42b6bcb88c8f461bb6339399dd394b982741175058018c39a83f4a43d9fd531be4caa5747af0d5efd9a86c1', 'fd0a0c70475e877d6d19a493ff1dc0654a8555b44959f50618bf6fb4e356faf7d094034d904a0f75c334be10225679760ef5ed7d494b6ad677e7beb5bf2712991e5f2d25ad969ee3d5f3d1a54bf9e8db842dad9320e562728afdf4b89998dc3817dc6ca065c96218882a099d040bbfebc6289a3d8e29c2abd6b8dfa3bf469f965cab0ea76cdba6f70f93dba76e30daf9fa1ae730abf578dafb8b00b0ef96d0a384db1268c32cf752ea4b68a89b5cd0dd3f3366e84c', 1, 0, NULL, NULL);
ALTER TABLE ONLY public.account_day
    ADD CONSTRAINT account_day_pkey PRIMARY KEY (account_id, day, brand, key_id);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_sent
    ADD CONSTRAINT alert_sent_pkey PRIMARY KEY (account_id, kind, level, period);
ALTER TABLE ONLY public.alert_setting
    ADD CONSTRAINT alert_setting_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.balance
    ADD CONSTRAINT balance_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.billing_document
    ADD CONSTRAINT billing_document_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.brand_switch
    ADD CONSTRAINT brand_switch_pkey PRIMARY KEY (brand);
ALTER TABLE ONLY public.closing
    ADD CONSTRAINT closing_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.credited_address
    ADD CONSTRAINT credited_address_pkey PRIMARY KEY (fingerprint);
ALTER TABLE ONLY public.document_counter
    ADD CONSTRAINT document_counter_pkey PRIMARY KEY (series);
ALTER TABLE ONLY public.gate_account
    ADD CONSTRAINT gate_account_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.gate_hold
    ADD CONSTRAINT gate_hold_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.gate_opening
    ADD CONSTRAINT gate_opening_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.gate_replica
    ADD CONSTRAINT gate_replica_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.lock_out
    ADD CONSTRAINT lock_out_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.oidc_artifact
    ADD CONSTRAINT oidc_artifact_pkey PRIMARY KEY (model, id);
ALTER TABLE ONLY public.oidc_client
    ADD CONSTRAINT oidc_client_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payment_event
    ADD CONSTRAINT payment_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_email_key UNIQUE (email);
ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit_key_key UNIQUE (key);
ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_2026_09
    ADD CONSTRAINT receipt_2026_09_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_2026_10
    ADD CONSTRAINT receipt_2026_10_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_2026_11
    ADD CONSTRAINT receipt_2026_11_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_2026_12
    ADD CONSTRAINT receipt_2026_12_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_2027_01
    ADD CONSTRAINT receipt_2027_01_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.receipt_other
    ADD CONSTRAINT receipt_other_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.sandbox_event
    ADD CONSTRAINT sandbox_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sandbox_payment
    ADD CONSTRAINT sandbox_payment_payment_id_key UNIQUE (payment_id);
ALTER TABLE ONLY public.sandbox_payment
    ADD CONSTRAINT sandbox_payment_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.secret_check
    ADD CONSTRAINT secret_check_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_key UNIQUE (token);
ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_signs_from_key UNIQUE (signs_from);
ALTER TABLE ONLY public.topup
    ADD CONSTRAINT topup_payment_id_key UNIQUE (payment_id);
ALTER TABLE ONLY public.topup
    ADD CONSTRAINT topup_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.topup
    ADD CONSTRAINT topup_session_id_key UNIQUE (session_id);
ALTER TABLE ONLY public.transfer
    ADD CONSTRAINT transfer_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_charge_2026_09
    ADD CONSTRAINT transfer_charge_2026_09_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_charge_2026_10
    ADD CONSTRAINT transfer_charge_2026_10_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_charge_2026_11
    ADD CONSTRAINT transfer_charge_2026_11_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_charge_2026_12
    ADD CONSTRAINT transfer_charge_2026_12_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_charge_2027_01
    ADD CONSTRAINT transfer_charge_2027_01_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_credit
    ADD CONSTRAINT transfer_credit_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_first
    ADD CONSTRAINT transfer_first_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_last
    ADD CONSTRAINT transfer_last_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_other
    ADD CONSTRAINT transfer_other_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_write_off_2026_09
    ADD CONSTRAINT transfer_write_off_2026_09_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_write_off_2026_10
    ADD CONSTRAINT transfer_write_off_2026_10_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_write_off_2026_11
    ADD CONSTRAINT transfer_write_off_2026_11_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_write_off_2026_12
    ADD CONSTRAINT transfer_write_off_2026_12_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.transfer_write_off_2027_01
    ADD CONSTRAINT transfer_write_off_2027_01_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.two_factor
    ADD CONSTRAINT two_factor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);
CREATE INDEX account_day_of_day ON public.account_day USING btree (day);
CREATE INDEX account_day_of_key ON public.account_day USING btree (account_id, key_id, day);
CREATE INDEX account_of_person ON public.account USING btree (person_id);
CREATE INDEX api_key_of_account ON public.api_key USING btree (account_id);
CREATE INDEX billing_document_of_account ON public.billing_document USING btree (account_id, issued_at);
CREATE INDEX billing_document_of_topup ON public.billing_document USING btree (topup_id);
CREATE UNIQUE INDEX console_key_of_account ON public.api_key USING btree (account_id) WHERE ((kind = 'console'::text) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX credential_of_person ON public.credential USING btree (user_id, provider_id);
CREATE INDEX entry_by_time_credit ON public.transfer_credit USING btree (created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX entry_by_time_first ON public.transfer_first USING btree (created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX entry_by_time_last ON public.transfer_last USING btree (created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX gate_hold_of_key ON public.gate_hold USING btree (key_id);
CREATE INDEX lock_out_age ON public.lock_out USING btree (updated_at);
CREATE INDEX movement_by_credit_credit ON public.transfer_credit USING btree (credit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX movement_by_credit_first ON public.transfer_first USING btree (credit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX movement_by_credit_last ON public.transfer_last USING btree (credit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX movement_by_debit_credit ON public.transfer_credit USING btree (debit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX movement_by_debit_first ON public.transfer_first USING btree (debit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX movement_by_debit_last ON public.transfer_last USING btree (debit, created_at, reference) WHERE (kind <> ALL (ARRAY['charge'::text, 'write_off'::text]));
CREATE INDEX oidc_artifact_client ON public.oidc_artifact USING btree (client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX oidc_artifact_expiry ON public.oidc_artifact USING btree (expires_at);
CREATE INDEX oidc_artifact_grant ON public.oidc_artifact USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX oidc_artifact_person ON public.oidc_artifact USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX oidc_artifact_uid ON public.oidc_artifact USING btree (uid) WHERE (uid IS NOT NULL);
CREATE INDEX passkey_of_person ON public.passkey USING btree (user_id);
CREATE INDEX payment_event_of_payment ON public.payment_event USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_event_of_topup ON public.payment_event USING btree (topup_id) WHERE (topup_id IS NOT NULL);
CREATE INDEX receipt_of_account ON ONLY public.receipt USING btree (account_id, request_id);
CREATE INDEX receipt_2026_09_account_id_request_id_idx ON public.receipt_2026_09 USING btree (account_id, request_id);
CREATE INDEX receipt_2026_10_account_id_request_id_idx ON public.receipt_2026_10 USING btree (account_id, request_id);
CREATE INDEX receipt_2026_11_account_id_request_id_idx ON public.receipt_2026_11 USING btree (account_id, request_id);
CREATE INDEX receipt_2026_12_account_id_request_id_idx ON public.receipt_2026_12 USING btree (account_id, request_id);
CREATE INDEX receipt_2027_01_account_id_request_id_idx ON public.receipt_2027_01 USING btree (account_id, request_id);
CREATE INDEX receipt_other_account_id_request_id_idx ON public.receipt_other USING btree (account_id, request_id);
CREATE INDEX sandbox_event_waiting ON public.sandbox_event USING btree (session_id, created_at) WHERE (told_at IS NULL);
CREATE INDEX session_expiry ON public.session USING btree (expires_at);
CREATE INDEX session_of_person ON public.session USING btree (user_id);
CREATE INDEX sign_in_link_expiry ON public.sign_in_link USING btree (expires_at);
CREATE INDEX sign_in_link_of_person ON public.sign_in_link USING btree (person_id);
CREATE INDEX topup_of_account ON public.topup USING btree (account_id, id);
CREATE INDEX two_factor_of_person ON public.two_factor USING btree (user_id);
CREATE INDEX verification_expiry ON public.verification USING btree (expires_at);
CREATE INDEX verification_identifier ON public.verification USING btree (identifier);
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_2026_09_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_2026_09_pkey;
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_2026_10_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_2026_10_pkey;
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_2026_11_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_2026_11_pkey;
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_2026_12_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_2026_12_pkey;
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_2027_01_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_2027_01_pkey;
ALTER INDEX public.receipt_of_account ATTACH PARTITION public.receipt_other_account_id_request_id_idx;
ALTER INDEX public.receipt_pkey ATTACH PARTITION public.receipt_other_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_charge_2026_09_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_charge_2026_10_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_charge_2026_11_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_charge_2026_12_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_charge_2027_01_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_credit_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_first_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_last_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_other_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_write_off_2026_09_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_write_off_2026_10_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_write_off_2026_11_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_write_off_2026_12_pkey;
ALTER INDEX public.transfer_pkey ATTACH PARTITION public.transfer_write_off_2027_01_pkey;
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);
ALTER TABLE ONLY public.alert_sent
    ADD CONSTRAINT alert_sent_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.alert_setting
    ADD CONSTRAINT alert_setting_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.billing_document
    ADD CONSTRAINT billing_document_topup_id_fkey FOREIGN KEY (topup_id) REFERENCES public.topup(id);
ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.person(id);
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.person(id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.person(id);
ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);
ALTER TABLE ONLY public.topup
    ADD CONSTRAINT topup_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.two_factor
    ADD CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.person(id);
