import { runStatements, type Migrations } from '#platform/store/index.ts'

export const identityMigrations: Migrations = {
  '0007_people': (db) =>
    runStatements(
      db,
      `create table session (
          id text primary key not null,
          token text not null unique,
          user_id text not null references person (id),
          ip_address text,
          user_agent text,
          expires_at bigint not null,
          created_at bigint not null,
          updated_at bigint not null
        )`,
      'create index session_of_person on session (user_id)',
      'create index session_expiry on session (expires_at)',
      `create table credential (
          id text primary key not null,
          user_id text not null references person (id),
          account_id text not null,
          provider_id text not null,
          password text,
          access_token text,
          refresh_token text,
          id_token text,
          access_token_expires_at bigint,
          refresh_token_expires_at bigint,
          scope text,
          created_at bigint not null,
          updated_at bigint not null
        )`,
      'create unique index credential_of_person on credential (user_id, provider_id)',
      `create table verification (
          id text primary key not null,
          identifier text not null,
          value text not null,
          expires_at bigint not null,
          created_at bigint not null,
          updated_at bigint not null
        )`,
      'create index verification_identifier on verification (identifier)',
      'create index verification_expiry on verification (expires_at)',
    ),
  '0008_second_factors': (db) =>
    runStatements(
      db,
      `create table two_factor (
          id text primary key not null,
          user_id text not null references person (id),
          secret text not null,
          backup_codes text not null,
          verified bigint,
          failed_verification_count bigint,
          locked_until bigint,
          last_step bigint
        )`,
      'create index two_factor_of_person on two_factor (user_id)',
      `create table passkey (
          id text primary key not null,
          user_id text not null references person (id),
          name text,
          public_key text not null,
          credential_id text not null unique,
          counter bigint not null,
          device_type text not null,
          backed_up bigint not null,
          transports text,
          aaguid text,
          created_at bigint
        )`,
      'create index passkey_of_person on passkey (user_id)',
      `create table rate_limit (
          id text primary key not null,
          key text not null unique,
          count bigint not null,
          last_request bigint not null
        )`,
      `create table lock_out (
          key text primary key not null,
          failures bigint not null,
          locked_until bigint not null,
          updated_at bigint not null
        )`,
      'create index lock_out_age on lock_out (updated_at)',
      `create table credited_address (
          fingerprint text primary key not null,
          person_id text not null,
          created_at bigint not null
        )`,
    ),
  '0009_openid': (db) =>
    runStatements(
      db,
      `create table oidc_client (
          client_id text primary key not null,
          name text not null,
          kind text not null,
          secret_hash text,
          redirect_uris text not null,
          created_at bigint not null
        )`,
      `create table oidc_artifact (
          model text not null,
          id text not null,
          payload text not null,
          grant_id text,
          uid text,
          account_id text,
          client_id text,
          created_at bigint not null,
          consumed_at bigint,
          used_at bigint,
          expires_at bigint,
          primary key (model, id)
        )`,
      'create index oidc_artifact_grant on oidc_artifact (grant_id) where grant_id is not null',
      'create index oidc_artifact_uid on oidc_artifact (uid) where uid is not null',
      'create index oidc_artifact_person on oidc_artifact (account_id) where account_id is not null',
      'create index oidc_artifact_client on oidc_artifact (client_id) where client_id is not null',
      'create index oidc_artifact_expiry on oidc_artifact (expires_at)',
      `create table signing_key (
          kid text primary key not null,
          sealed_jwk text not null,
          created_at bigint not null,
          signs_from bigint not null unique
        )`,
      `create table secret_check (
          id text primary key not null,
          fingerprint text not null
        )`,
    ),
  '0015_sign_in_links': (db) =>
    runStatements(
      db,
      `create table sign_in_link (
          id text primary key not null,
          token_hash text not null unique,
          person_id text not null references person (id),
          made_by text not null,
          makes_operator bigint not null,
          created_at bigint not null,
          expires_at bigint not null,
          used_at bigint
        )`,
      'create index sign_in_link_of_person on sign_in_link (person_id)',
      'create index sign_in_link_expiry on sign_in_link (expires_at)',
    ),
}
