import { runStatements, type Engine, type Migrations } from '#platform/store/index.ts'

export const accountsMigrations: Migrations = {
  '0002_accounts': (db) =>
    runStatements(
      db,
      `create table person (
          id text primary key not null,
          email text not null unique,
          name text,
          plan text not null,
          created_at bigint not null
        )`,
      `create table account (
          id text primary key not null,
          person_id text not null references person (id),
          min_tier bigint not null,
          daily_ceiling_nano bigint,
          suspended bigint not null,
          created_at bigint not null
        )`,
      'create index account_of_person on account (person_id)',
      `create table api_key (
          id text primary key not null,
          account_id text not null references account (id),
          name text not null,
          hash text not null unique,
          prefix text not null,
          last_four text not null,
          created_at bigint not null,
          revoked_at bigint
        )`,
      'create index api_key_of_account on api_key (account_id)',
      `create table audit (
          id text primary key not null,
          at bigint not null,
          actor text not null,
          action text not null,
          account_id text,
          details text not null
        )`,
    ),
  // Persons who sign in, and not only own accounts.
  '0006_person_profile': (db) =>
    runStatements(
      db,
      'alter table person add column email_verified bigint not null default 0',
      'alter table person add column picture text',
      `alter table person add column role text not null default 'customer'`,
      'alter table person add column two_factor_enabled bigint not null default 0',
      'alter table person add column updated_at bigint not null default 0',
      'update person set updated_at = created_at',
    ),
  // What a person's playground calls by, of which an account has one at a time.
  '0015_console_keys': (db) =>
    runStatements(
      db,
      `alter table api_key add column kind text not null default 'secret'`,
      `create unique index console_key_of_account on api_key (account_id)
        where kind = 'console' and revoked_at is null`,
    ),
  '0015_key_limits': (db) =>
    runStatements(
      db,
      'alter table api_key add column expires_at bigint',
      'alter table api_key add column daily_ceiling_nano bigint',
    ),
  // Whose an account was is its owner, and its first member.
  '0016_members': (db) =>
    runStatements(
      db,
      `create table account_member (
          account_id text not null references account (id),
          person_id text not null references person (id),
          role text not null,
          created_at bigint not null,
          primary key (account_id, person_id)
        )`,
      'create index account_member_of_person on account_member (person_id)',
      `insert into account_member (account_id, person_id, role, created_at)
        select id, person_id, 'owner', created_at from account`,
      `create table invitation (
          id text primary key not null,
          account_id text not null references account (id),
          email text not null,
          role text not null,
          token_hash text not null unique,
          invited_by text not null,
          created_at bigint not null,
          expires_at bigint not null,
          ended_at bigint
        )`,
      'create index invitation_of_account on invitation (account_id, created_at)',
      'create index invitation_by_time on invitation (created_at)',
    ),
  // Whom each entry is about, and where it came from: people read what is theirs.
  '0017_audit_subjects': (db, engine) =>
    runStatements(
      db,
      'alter table audit add column acted_as text',
      'alter table audit add column person_id text',
      'alter table audit add column address text',
      'alter table audit add column user_agent text',
      `update audit set person_id = ${readPersonId[engine]}`,
      // Until now a person did as an operator what was not done to what is their own.
      `update audit set acted_as = case
          when actor = 'operator' then 'operator'
          when actor not like 'per!_%' escape '!' then 'service'
          when actor = person_id then 'person'
          when actor in (select m.person_id from account_member m where m.account_id = audit.account_id)
            then 'person'
          else 'operator'
        end`,
      'create index audit_of_account on audit (account_id, at, id) where account_id is not null',
      'create index audit_of_person on audit (person_id, at, id) where person_id is not null',
      `create index audit_by_person on audit (actor, at, id) where acted_as = 'person'`,
      'create index audit_with_address on audit (at) where address is not null',
    ),
}

const readPersonId: Record<Engine, string> = {
  sqlite: `json_extract(details, '$.person_id')`,
  postgres: `details::jsonb ->> 'person_id'`,
}
