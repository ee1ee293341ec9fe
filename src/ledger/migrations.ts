import { runSqlFile, runStatements, type Engine, type Migrations } from '#platform/store/index.ts'

/** Column types are those that SQLite and PostgreSQL both know. Times are epoch milliseconds. */
export const ledgerMigrations: Migrations = {
  async '0001_ledger'(db, engine) {
    await runStatements(
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
          reference ${timeOrdered[engine]} primary key not null,
          debit text not null,
          credit text not null,
          amount_nano bigint not null check (amount_nano > 0),
          kind text not null,
          created_at bigint not null
        )${byRange[engine]('reference')}`,
      `create table receipt (
          request_id ${timeOrdered[engine]} primary key not null,
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
        )${byRange[engine]('request_id')}`,
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
    )
    if (engine === 'postgres') {
      await runSqlFile(db, new URL('./sql/partitions.sql', import.meta.url))
      await runSqlFile(db, new URL('./sql/commit-charges.sql', import.meta.url))
    }
  },
  // Months are closed on PostgreSQL alone; the table is on both, so that the books are verified alike.
  async '0005_closing'(db, engine) {
    await runStatements(
      db,
      `create table closing (
          only_row bigint primary key not null default 1 check (only_row = 1),
          through_day text not null,
          open_from ${timeOrdered[engine]} not null
        )`,
    )
    if (engine === 'postgres') {
      await runSqlFile(db, new URL('./sql/close-months.sql', import.meta.url))
    }
  },
  // A refund may take a balance below zero; charges still may not, which is held where they are booked.
  async '0010_debts'(db, engine) {
    await runStatements(db, ...withoutLowerBound[engine])
  },
  '0012_raises': (db) =>
    runStatements(
      db,
      'alter table balance add column raises bigint not null default 0',
      'alter table balance add column raised_to_nano bigint not null default 0',
      'update balance set raised_to_nano = balance_nano',
    ),
  // Bookkeepers read by time what is not of a single request.
  '0014_entries': (db, engine) =>
    runStatements(
      db,
      ...entryIndexes[engine],
      'create index account_day_of_day on account_day (day)',
    ),
  // Each account's statement has what is not of a single request; each key's last day is looked up by it.
  '0015_movements': (db, engine) =>
    runStatements(
      db,
      ...movementIndexes[engine],
      'create index account_day_of_key on account_day (account_id, key_id, day)',
    ),
}

const withoutLowerBound: Record<Engine, readonly string[]> = {
  postgres: ['alter table balance drop constraint balance_balance_nano_check'],
  // SQLite changes a check only by making the table anew.
  sqlite: [
    `create table balance_without_bound (
        account_id text primary key not null,
        balance_nano bigint not null,
        deposits_nano bigint not null,
        spent_day text not null,
        spent_nano bigint not null,
        version bigint not null
      )`,
    'insert into balance_without_bound select * from balance',
    'drop table balance',
    'alter table balance_without_bound rename to balance',
  ],
}

/** On PostgreSQL not in the partitions of charges, which have none of these rows and take no index for them. */
const entryIndexes: Record<Engine, readonly string[]> = {
  sqlite: [
    `create index entry_by_time on transfer (created_at, reference)
      where kind not in ('charge', 'write_off')`,
  ],
  postgres: ['first', 'credit', 'last'].map(
    (part) => `create index entry_by_time_${part} on transfer_${part} (created_at, reference)
      where kind not in ('charge', 'write_off')`,
  ),
}

/** As above, not in the partitions of charges. */
const movementIndexes: Record<Engine, readonly string[]> = {
  sqlite: ['debit', 'credit'].map(
    (side) => `create index movement_by_${side} on transfer (${side}, created_at, reference)
      where kind not in ('charge', 'write_off')`,
  ),
  postgres: ['first', 'credit', 'last'].flatMap((part) =>
    ['debit', 'credit'].map(
      (side) => `create index movement_by_${side}_${part} on transfer_${part}
        (${side}, created_at, reference) where kind not in ('charge', 'write_off')`,
    ),
  ),
}

/**
 * On PostgreSQL the tables that grow with every request are cut into months by their keys, which begin
 * with the time they were made at. Such keys must be compared as bytes.
 */
const timeOrdered: Record<Engine, string> = { sqlite: 'text', postgres: 'text collate "C"' }
const byRange: Record<Engine, (column: string) => string> = {
  sqlite: () => '',
  postgres: (column) => ` partition by range (${column})`,
}
