-- What places holds, since keys have limits of their own. Run anew by each migration that changes it.
drop function if exists admit_requests(
  text, text[], text[], bigint[], bigint[], bigint[], bigint[], bigint, bigint, bigint);
drop function if exists restore_holds(text, bigint, bigint, text[], text[], bigint[], bigint[]);

-- What a key was charged on a day, and what its live requests hold. Asked under the lock of its
-- account, in one statement: whoever ends a hold books its charge in the same transaction, and takes
-- that lock, so that what was admitted is always one of the two. The plan is made once, and must not
-- read whole tables because they were small then.
create function use_of_key(
  account text, key text, on_day text, out spent_nano bigint, out held_nano bigint
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
begin
  select
    (select coalesce(sum(d.charged_nano), 0) from account_day d
      where d.account_id = account and d.day = on_day and d.key_id = key),
    (select coalesce(sum(h.cost_nano), 0) from gate_hold h where h.key_id = key)
  into spent_nano, held_nano;
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
  spent_day text, spent_nano bigint, version bigint,
  key_ceiling_nano bigint, key_spent_nano bigint, key_held_nano bigint
) language plpgsql as $$
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

-- Begins a lease with the holds that the replica has; those that the database still has are kept.
create function restore_holds(
  replica text, lease_ms bigint, opens_after_ms bigint,
  request_ids text[], account_ids text[], key_ids text[],
  costs bigint[], reserved_tokens bigint[]
) returns void language plpgsql as $$
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
