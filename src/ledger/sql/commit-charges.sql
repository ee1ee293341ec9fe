-- Commits the charges of all replies that ended at the same moment: for each its receipt, its
-- transfers, the day's total and the account's funds. Does what commit-on-sqlite.ts does, for a whole
-- batch at once. `charges` is a list of what charge.ts calls a Charge. Answers one entry for each, in
-- their order. Balances are locked in the order of their ids: no two batches can wait for each other.
--
-- What it costs must not grow with the tables, so rows are found by lists of their keys, in a plan that is
-- made once: one that reads whole tables, because they are small when it is made, is kept as they grow.
create function commit_charges(charges json, at_ms bigint, today text) returns json
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
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
