import { runStatements, type Migrations } from '#platform/store/index.ts'

export const paymentMigrations: Migrations = {
  '0011_payments': (db) =>
    runStatements(
      db,
      `create table topup (
          id text primary key not null,
          account_id text not null references account (id),
          amount_nano bigint not null check (amount_nano > 0),
          provider text not null,
          is_test bigint not null,
          state text not null,
          session_id text unique,
          payment_id text unique,
          refunded_nano bigint not null,
          dispute text,
          suspended_account bigint not null,
          created_at bigint not null,
          paid_at bigint
        )`,
      'create index topup_of_account on topup (account_id, id)',
      `create table payment_event (
          id text primary key not null,
          kind text not null,
          topup_id text,
          payment_id text,
          dispute_id text,
          amount_nano bigint,
          currency text,
          created_at bigint not null,
          received_at bigint not null
        )`,
      'create index payment_event_of_topup on payment_event (topup_id) where topup_id is not null',
      'create index payment_event_of_payment on payment_event (payment_id) where payment_id is not null',
      `create table billing_document (
          number text primary key not null,
          kind text not null,
          topup_id text not null references topup (id),
          account_id text not null,
          amount_nano bigint not null check (amount_nano > 0),
          seller text not null,
          buyer text not null,
          issued_at bigint not null
        )`,
      'create index billing_document_of_topup on billing_document (topup_id)',
      `create table document_counter (
          series text primary key not null,
          last_number bigint not null
        )`,
      `create table sandbox_payment (
          session_id text primary key not null,
          payment_id text not null unique,
          topup_id text not null,
          amount_cents bigint not null,
          refunded_cents bigint not null,
          state text not null,
          return_url text not null,
          created_at bigint not null
        )`,
    ),
  '0012_sandbox_events': (db) =>
    runStatements(
      db,
      'alter table sandbox_payment add column dispute text',
      'alter table sandbox_payment add column disputed_cents bigint not null default 0',
      `create table sandbox_event (
          id text primary key not null,
          session_id text not null,
          act text not null,
          payload text not null,
          created_at bigint not null,
          told_at bigint
        )`,
      'create index sandbox_event_waiting on sandbox_event (session_id, created_at) where told_at is null',
      'create index billing_document_of_account on billing_document (account_id, issued_at)',
    ),
}
