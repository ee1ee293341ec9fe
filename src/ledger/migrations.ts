import { runStatements, type Migrations } from '#platform/store/index.ts'

/** Column types are those that SQLite and PostgreSQL both know. Times are epoch milliseconds. */
export const ledgerMigrations: Migrations = {
  '0001_ledger': {
    up: (db) =>
      runStatements(
        db,
        `create table balance (
          account_id text primary key not null,
          balance_nano bigint not null check (balance_nano >= 0),
          deposits_nano bigint not null,
          spent_day text not null,
          spent_nano bigint not null,
          version bigint not null
        )`,
        `create table transfer (
          reference text primary key not null,
          debit text not null,
          credit text not null,
          amount_nano bigint not null check (amount_nano > 0),
          kind text not null,
          created_at bigint not null
        )`,
        `create table receipt (
          request_id text primary key not null,
          account_id text not null,
          key_id text not null,
          brand text not null,
          model text not null,
          prompt_tokens bigint not null,
          completion_tokens bigint not null,
          usage_source text not null,
          charged_nano bigint not null check (charged_nano >= 0),
          written_off_nano bigint not null check (written_off_nano >= 0),
          finish_reason text,
          ended text not null,
          day text not null,
          created_at bigint not null,
          charged_at bigint not null,
          duration_ms bigint not null,
          first_token_ms bigint
        )`,
        'create index receipt_of_account on receipt (account_id, request_id)',
        `create table account_day (
          account_id text not null,
          day text not null,
          brand text not null,
          key_id text not null,
          requests bigint not null,
          prompt_tokens bigint not null,
          completion_tokens bigint not null,
          charged_nano bigint not null,
          written_off_nano bigint not null,
          primary key (account_id, day, brand, key_id)
        )`,
      ),
  },
}
