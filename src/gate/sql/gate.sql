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
