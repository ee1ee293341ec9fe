import { runStatements, type Migrations } from '#platform/store/index.ts'

export const alertMigrations: Migrations = {
  '0013_alerts': (db) =>
    runStatements(
      db,
      `create table alert_setting (
          account_id text primary key not null references account (id),
          low_balance_nano bigint,
          ceiling_alerts bigint not null
        )`,
      `create table alert_sent (
          account_id text not null references account (id),
          kind text not null,
          level bigint not null,
          period bigint not null,
          sent_at bigint not null,
          primary key (account_id, kind, level, period)
        )`,
    ),
}
