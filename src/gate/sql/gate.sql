-- The gate on PostgreSQL: what all replicas share. None of it is money, so none of it is logged: a
-- crash of the database forgets windows and holds, and each replica tells again what it holds.
-- Whoever locks rows of gate_account locks them in the order of their ids: no two can wait for each
-- other. Times are epoch milliseconds.

-- One account at the gate: its window, and what its live requests hold.
create unlogged table gate_account (
  account_id text primary key,
  window_start bigint not null,
  -- Tells windows apart, also where a clock that was set back lets two start at one instant.
  window_number bigint not null,
  requests bigint not null,
  tokens bigint not null,
  held_nano bigint not null
) with (fillfactor = 50);

-- A place taken in an account's limits by one live request.
create unlogged table gate_hold (
  request_id text primary key,
  account_id text not null,
  replica_id text not null,
  cost_nano bigint not null,
  tokens bigint not null,
  window_number bigint not null
);

-- A replica's holds live as long as its lease, however long their requests take.
create unlogged table gate_replica (
  id text primary key,
  expires_at bigint not null
);

-- From when on requests are admitted. Emptied by a crash of the database, with the holds: whoever
-- comes first then sets a time by which every live replica has told again what it holds.
create unlogged table gate_opening (
  only_row boolean primary key default true check (only_row),
  opens_at bigint not null
);
insert into gate_opening (opens_at) values (0);

create function epoch_ms() returns bigint language sql volatile as
$$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;

-- Locks accounts, in the order of their ids; those that are new here get a window that is over.
create function lock_gate_accounts(wanted text[]) returns void language plpgsql as $$
begin
  insert into gate_account
  select w.id, -60000, 0, 0, 0, 0 from (select distinct unnest(wanted) as id) w
  where not exists (select from gate_account g where g.account_id = w.id)
  order by w.id
  on conflict do nothing;
  perform from gate_account g where g.account_id = any (wanted) order by g.account_id for update;
end $$;

-- Counts requests and, where one wants a hold (its cost is not null), checks every limit and places
-- it: all in one atomic step for each account. tier_* are the tiers' limits, the first tier first.
create function admit_requests(
  replica text, key_hashes text[], request_ids text[], costs bigint[], wanted_tokens bigint[],
  tier_requests bigint[], tier_tokens bigint[], second_tier_from bigint, third_tier_above bigint,
  given_ms bigint
) returns table (
  place bigint, outcome text, key_id text, account_id text, at_ms bigint,
  window_start bigint, window_number bigint, requests bigint, tokens bigint, held_nano bigint,
  min_tier bigint, ceiling_nano bigint, balance_nano bigint, deposits_nano bigint,
  spent_day text, spent_nano bigint, version bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  key_ids text[];
  account_ids text[];
  asked record;
  today text;
  tier int;
  -- What is to be written when all is decided: the last state of each account, and the holds.
  changed gate_account[] := '{}';
  placed gate_hold[] := '{}';
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

  select array_agg(k.id order by a.place), array_agg(k.account_id order by a.place)
  into key_ids, account_ids
  from unnest(key_hashes) with ordinality as a (hash, place)
  left join api_key k on k.hash = a.hash and k.revoked_at is null;
  perform lock_gate_accounts(array_remove(account_ids, null));
  -- The time is read after the locks: one of before them may be earlier than the start of a window
  -- that another replica began meanwhile, and would end it as a clock set back does.
  at_ms := coalesce(given_ms, epoch_ms());
  today := to_char(to_timestamp(at_ms / 1000.0) at time zone 'utc', 'YYYY-MM-DD');

  -- A statement of its own, after the locks: whoever settled before us has committed.
  for asked in
    select a.place, a.request_id, a.cost, a.tokens as wanted, a.key_id, g.account_id,
      g.window_start, g.window_number, g.requests, g.tokens, g.held_nano,
      c.suspended, c.min_tier, c.daily_ceiling_nano, b.balance_nano, b.deposits_nano, b.spent_day,
      b.spent_nano, b.version, case when b.spent_day >= today then b.spent_nano else 0 end as spent_today
    from unnest(key_ids, account_ids, request_ids, costs, wanted_tokens)
      with ordinality as a (key_id, account_id, request_id, cost, tokens, place)
    left join gate_account g on g.account_id = a.account_id
    left join account c on c.id = a.account_id
    left join balance b on b.account_id = a.account_id
    order by g.account_id nulls last, a.place
  loop
    place := asked.place;
    key_id := asked.key_id;
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
    if requests > tier_requests[tier] then
      outcome := 'requests';
    elsif asked.cost is null then
      outcome := 'counted';
    elsif ceiling_nano is not null and asked.spent_today + held_nano >= ceiling_nano then
      outcome := 'ceiling';
    elsif balance_nano - held_nano < asked.cost then
      outcome := 'balance';
    elsif tokens + asked.wanted > tier_tokens[tier] then
      outcome := 'tokens';
    else
      outcome := 'admitted';
      held_nano := held_nano + asked.cost;
      tokens := tokens + asked.wanted;
      placed := placed
        || row(asked.request_id, account_id, replica, asked.cost, asked.wanted, window_number)::gate_hold;
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

-- Ends holds: gives back what they held and counts the tokens that were really used, where their
-- window is still the current one. What is gone already is passed over. Answers with the windows as
-- they are then, by request id.
create function settle_holds(request_ids text[], used_tokens bigint[]) returns json
language plpgsql as $$
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

-- Begins or extends a replica's lease. False where it had none: its holds may be gone, and it must
-- tell them again by restore_holds.
create function renew_lease(replica text, lease_ms bigint) returns boolean language plpgsql as $$
begin
  update gate_replica r set expires_at = epoch_ms() + lease_ms where r.id = replica;
  return found;
end $$;

-- Begins a lease with the holds that the replica has; those that the database still has are kept.
create function restore_holds(
  replica text, lease_ms bigint, opens_after_ms bigint,
  request_ids text[], account_ids text[], costs bigint[], reserved_tokens bigint[]
) returns void language plpgsql as $$
begin
  insert into gate_opening (opens_at) values (epoch_ms() + opens_after_ms) on conflict do nothing;
  insert into gate_replica values (replica, epoch_ms() + lease_ms)
  on conflict (id) do update set expires_at = excluded.expires_at;
  perform lock_gate_accounts(account_ids);
  with restored as (
    -- Their windows may be gone: no window has the number -1.
    insert into gate_hold
    select h.request_id, h.account_id, replica, h.cost, h.tokens, -1
    from unnest(request_ids, account_ids, costs, reserved_tokens)
      as h (request_id, account_id, cost, tokens)
    on conflict do nothing
    returning account_id, cost_nano
  )
  update gate_account g set held_nano = g.held_nano + r.cost_nano
  from (select account_id, sum(cost_nano) as cost_nano from restored group by account_id) r
  where g.account_id = r.account_id;
end $$;

-- Ends the holds of replicas whose lease is over. Answers how many there were.
create function sweep_holds() returns bigint language plpgsql as $$
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
