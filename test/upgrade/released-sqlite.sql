CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE transfer (
          reference text primary key not null,
          debit text not null,
          credit text not null,
          amount_nano bigint not null check (amount_nano > 0),
          kind text not null,
          created_at bigint not null
        );
CREATE TABLE receipt (
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
        );
CREATE TABLE account_day (
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
        );
CREATE TABLE person (
          id text primary key not null,
          email text not null unique,
          name text,
          plan text not null,
          created_at bigint not null
        , email_verified bigint not null default 0, picture text, role text not null default 'customer', two_factor_enabled bigint not null default 0, updated_at bigint not null default 0);
CREATE TABLE account (
          id text primary key not null,
          person_id text not null references person (id),
          min_tier bigint not null,
          daily_ceiling_nano bigint,
          suspended bigint not null,
          created_at bigint not null
        );
CREATE TABLE api_key (
          id text primary key not null,
          account_id text not null references account (id),
          name text not null,
          hash text not null unique,
          prefix text not null,
          last_four text not null,
          created_at bigint not null,
          revoked_at bigint
        , kind text not null default 'secret', expires_at bigint, daily_ceiling_nano bigint);
CREATE TABLE audit (
          id text primary key not null,
          at bigint not null,
          actor text not null,
          action text not null,
          account_id text,
          details text not null
        );
CREATE TABLE brand_switch (brand text primary key not null, enabled bigint not null);
CREATE TABLE closing (
          only_row bigint primary key not null default 1 check (only_row = 1),
          through_day text not null,
          open_from text not null
        );
CREATE TABLE session (
          id text primary key not null,
          token text not null unique,
          user_id text not null references person (id),
          ip_address text,
          user_agent text,
          expires_at bigint not null,
          created_at bigint not null,
          updated_at bigint not null
        );
CREATE TABLE credential (
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
        );
CREATE TABLE verification (
          id text primary key not null,
          identifier text not null,
          value text not null,
          expires_at bigint not null,
          created_at bigint not null,
          updated_at bigint not null
        );
CREATE TABLE two_factor (
          id text primary key not null,
          user_id text not null references person (id),
          secret text not null,
          backup_codes text not null,
          verified bigint,
          failed_verification_count bigint,
          locked_until bigint,
          last_step bigint
        );
CREATE TABLE passkey (
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
        );
CREATE TABLE rate_limit (
          id text primary key not null,
          key text not null unique,
          count bigint not null,
          last_request bigint not null
        );
CREATE TABLE lock_out (
          key text primary key not null,
          failures bigint not null,
          locked_until bigint not null,
          updated_at bigint not null
        );
CREATE TABLE credited_address (
          fingerprint text primary key not null,
          person_id text not null,
          created_at bigint not null
        );
CREATE TABLE oidc_client (
          client_id text primary key not null,
          name text not null,
          kind text not null,
          secret_hash text,
          redirect_uris text not null,
          created_at bigint not null
        );
CREATE TABLE oidc_artifact (
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
        );
CREATE TABLE signing_key (
          kid text primary key not null,
          sealed_jwk text not null,
          created_at bigint not null,
          signs_from bigint not null unique
        );
CREATE TABLE secret_check (
          id text primary key not null,
          fingerprint text not null
        );
CREATE TABLE "balance" (
        account_id text primary key not null,
        balance_nano bigint not null,
        deposits_nano bigint not null,
        spent_day text not null,
        spent_nano bigint not null,
        version bigint not null
      , raises bigint not null default 0, raised_to_nano bigint not null default 0);
CREATE TABLE topup (
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
        );
CREATE TABLE payment_event (
          id text primary key not null,
          kind text not null,
          topup_id text,
          payment_id text,
          dispute_id text,
          amount_nano bigint,
          currency text,
          created_at bigint not null,
          received_at bigint not null
        );
CREATE TABLE billing_document (
          number text primary key not null,
          kind text not null,
          topup_id text not null references topup (id),
          account_id text not null,
          amount_nano bigint not null check (amount_nano > 0),
          seller text not null,
          buyer text not null,
          issued_at bigint not null
        );
CREATE TABLE document_counter (
          series text primary key not null,
          last_number bigint not null
        );
CREATE TABLE sandbox_payment (
          session_id text primary key not null,
          payment_id text not null unique,
          topup_id text not null,
          amount_cents bigint not null,
          refunded_cents bigint not null,
          state text not null,
          return_url text not null,
          created_at bigint not null
        , dispute text, disputed_cents bigint not null default 0);
CREATE TABLE sandbox_event (
          id text primary key not null,
          session_id text not null,
          act text not null,
          payload text not null,
          created_at bigint not null,
          told_at bigint
        );
CREATE TABLE alert_setting (
          account_id text primary key not null references account (id),
          low_balance_nano bigint,
          ceiling_alerts bigint not null
        );
CREATE TABLE alert_sent (
          account_id text not null references account (id),
          kind text not null,
          level bigint not null,
          period bigint not null,
          sent_at bigint not null,
          primary key (account_id, kind, level, period)
        );
CREATE TABLE sign_in_link (
          id text primary key not null,
          token_hash text not null unique,
          person_id text not null references person (id),
          made_by text not null,
          makes_operator bigint not null,
          created_at bigint not null,
          expires_at bigint not null,
          used_at bigint
        );
insert into "kysely_migration" values ('0001_ledger', '2026-11-22T05:55:55.248Z');
insert into "kysely_migration" values ('0002_accounts', '2026-11-22T05:55:55.280Z');
insert into "kysely_migration" values ('0003_brand_switch', '2026-11-22T05:55:55.284Z');
insert into "kysely_migration" values ('0004_gate', '2026-11-22T05:55:55.285Z');
insert into "kysely_migration" values ('0005_closing', '2026-11-22T05:55:55.290Z');
insert into "kysely_migration" values ('0006_person_profile', '2026-11-22T05:55:55.298Z');
insert into "kysely_migration" values ('0007_people', '2026-11-22T05:55:55.301Z');
insert into "kysely_migration" values ('0008_second_factors', '2026-11-22T05:55:55.310Z');
insert into "kysely_migration" values ('0009_openid', '2026-11-22T05:55:55.315Z');
insert into "kysely_migration" values ('0010_debts', '2026-11-22T05:55:55.323Z');
insert into "kysely_migration" values ('0011_payments', '2026-11-22T05:55:55.338Z');
insert into "kysely_migration" values ('0012_raises', '2026-11-22T05:55:55.345Z');
insert into "kysely_migration" values ('0012_sandbox_events', '2026-11-22T05:55:55.362Z');
insert into "kysely_migration" values ('0013_alerts', '2026-11-22T05:55:55.367Z');
insert into "kysely_migration" values ('0014_entries', '2026-11-22T05:55:55.370Z');
insert into "kysely_migration" values ('0015_console_keys', '2026-11-22T05:55:55.371Z');
insert into "kysely_migration" values ('0015_key_limits', '2026-11-22T05:55:55.378Z');
insert into "kysely_migration" values ('0015_key_limits_at_gate', '2026-11-22T05:55:55.379Z');
insert into "kysely_migration" values ('0015_movements', '2026-11-22T05:55:55.385Z');
insert into "kysely_migration" values ('0015_sign_in_links', '2026-11-22T05:55:55.390Z');
insert into "kysely_migration_lock" values ('migration_lock', 0);
insert into "transfer" values ('free-credit:per_01a201d35c11772e8c4159bbc538c102', 'book:grants', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 1000000000, 'grant', 1795176000000);
insert into "transfer" values ('topup:top_01a201d363b2715a90b0c86f53e68bf5', 'book:cash', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, 'deposit', 1795176000000);
insert into "transfer" values ('refund:top_01a201d363b2715a90b0c86f53e68bf5:25000000000', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:cash', 25000000000, 'refund', 1795176000000);
insert into "transfer" values ('charge:req_01a05cd72a0070e19e59a2eecda4498c', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234575, 'charge', 1788264000000);
insert into "transfer" values ('charge:req_01a0a4f032007401a6a048074d286b35', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234575, 'charge', 1789473600000);
insert into "transfer" values ('charge:req_01a0f755f20075d98dd9c6dd1e35057a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234576, 'charge', 1790856000000);
insert into "transfer" values ('charge:req_01a13f6efa0077f7b3b7a07b1b5dad56', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234576, 'charge', 1792065600000);
insert into "transfer" values ('charge:req_01a196fb16007335804a7cc75127354f', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234577, 'charge', 1793534400000);
insert into "transfer" values ('charge:req_01a1df141e007041bd1155612a8f891d', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 1234577, 'charge', 1794744000000);
insert into "transfer" values ('charge:req_01a201d366887091977f2f0ecc1ec8d3', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 256820, 'charge', 1795176000000);
insert into "transfer" values ('charge:req_01a201d366b575c0a18f9f3d423acab5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 543600, 'charge', 1795176000000);
insert into "transfer" values ('charge:req_01a201d366bb778b9d7a3d85a4f9fa04', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'book:revenue', 995100, 'charge', 1795176000000);
insert into "transfer" values ('free-credit:per_01a201d366c177b79a57bef35169fb15', 'book:grants', 'acc_01a201d366c177b79a57c2eacfce3453', 1000000000, 'grant', 1795176000000);
insert into "transfer" values ('credit:credit-1', 'book:grants', 'acc_01a201d366ec774fb8e9713a63cb70d4', 2000, 'grant', 1795176000000);
insert into "transfer" values ('charge:req_01a1f8d3ea0071bba4d79a1d952a73bc', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'book:revenue', 2000, 'charge', 1795176000000);
insert into "transfer" values ('write_off:req_01a1f8d3ea0071bba4d79a1d952a73bc', 'book:written_off', 'book:revenue', 7000, 'write_off', 1795176000000);
insert into "transfer" values ('free-credit:per_01a201d3673272c481f48bf3ae6d917a', 'book:grants', 'acc_01a201d3673272c481f48d273cca3eba', 1000000000, 'grant', 1795176000000);
insert into "transfer" values ('free-credit:per_01a201d36745733b94f378efceddf0b8', 'book:grants', 'acc_01a201d36746725f863395305299f12c', 1000000000, 'grant', 1795176000000);
insert into "transfer" values ('credit:credit-2', 'book:cash', 'acc_01a201d36746725f863395305299f12c', 120000000000, 'deposit', 1795176000000);
insert into "transfer" values ('free-credit:per_01a201d36846737191d2f3c7bb8543e9', 'book:grants', 'acc_01a201d3686973ae92a1024b713affc6', 1000000000, 'grant', 1795176000000);
insert into "receipt" values ('req_01a05cd72a0070e19e59a2eecda4498c', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234575, 0, 'stop', 'completed', '2026-09-01', 1788264000000, 1788264000000, 20, 10);
insert into "receipt" values ('req_01a0a4f032007401a6a048074d286b35', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234575, 0, 'stop', 'completed', '2026-09-15', 1789473600000, 1789473600000, 20, 10);
insert into "receipt" values ('req_01a0f755f20075d98dd9c6dd1e35057a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234576, 0, 'stop', 'completed', '2026-10-01', 1790856000000, 1790856000000, 20, 10);
insert into "receipt" values ('req_01a13f6efa0077f7b3b7a07b1b5dad56', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234576, 0, 'stop', 'completed', '2026-10-15', 1792065600000, 1792065600000, 20, 10);
insert into "receipt" values ('req_01a196fb16007335804a7cc75127354f', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 10, 5, 'upstream', 1234577, 0, 'stop', 'completed', '2026-11-01', 1793534400000, 1793534400000, 20, 10);
insert into "receipt" values ('req_01a1df141e007041bd1155612a8f891d', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 10, 5, 'upstream', 1234577, 0, 'stop', 'completed', '2026-11-15', 1794744000000, 1794744000000, 20, 10);
insert into "receipt" values ('req_01a201d366887091977f2f0ecc1ec8d3', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'air', 'svc-air-v1', 22, 81, 'upstream', 256820, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 31, 28);
insert into "receipt" values ('req_01a201d366b575c0a18f9f3d423acab5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'prime', 'svc-prime-v1', 23, 81, 'upstream', 543600, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 2, 1);
insert into "receipt" values ('req_01a201d366bb778b9d7a3d85a4f9fa04', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'key_01a201d3659f759eaa1454547c86c71a', 'nova', 'svc-nova-v1', 23, 97, 'upstream', 995100, 0, 'stop', 'completed', '2026-11-20', 1795176000000, 1795176000000, 1, 1);
insert into "receipt" values ('req_01a1f8d3ea0071bba4d79a1d952a73bc', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'key_01a201d36728726c9490913df3e3bf88', 'air', 'svc-air-v1', 10, 5, 'upstream', 2000, 7000, 'stop', 'completed', '2026-11-20', 1000, 1795176000000, 20, 10);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-09-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234575, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-09-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234575, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-10-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234576, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-10-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234576, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-01', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234577, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-15', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 10, 5, 1234577, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'air', 'key_01a201d3659f759eaa1454547c86c71a', 1, 22, 81, 256820, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'prime', 'key_01a201d3659f759eaa1454547c86c71a', 1, 23, 81, 543600, 0);
insert into "account_day" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', '2026-11-20', 'nova', 'key_01a201d3659f759eaa1454547c86c71a', 1, 23, 97, 995100, 0);
insert into "account_day" values ('acc_01a201d366ec774fb8e9713a63cb70d4', '2026-11-20', 'air', 'key_01a201d36728726c9490913df3e3bf88', 1, 10, 5, 2000, 7000);
insert into "person" values ('per_01a201d35c11772e8c4159bbc538c102', 'ana@example.com', 'Somebody', 'FREE', 1795326958604, 1, null, 'customer', 0, 1795326958707);
insert into "person" values ('per_01a201d366c177b79a57bef35169fb15', 'person-1@example.com', null, 'FREE', 1795176000000, 0, null, 'customer', 0, 1795176000000);
insert into "person" values ('per_01a201d3673272c481f48bf3ae6d917a', 'person-2@example.com', null, 'FREE', 1795176000000, 0, null, 'customer', 0, 1795176000000);
insert into "person" values ('per_01a201d36745733b94f378efceddf0b8', 'person-3@example.com', null, 'FREE', 1795176000000, 0, null, 'customer', 0, 1795176000000);
insert into "person" values ('per_01a201d36846737191d2f3c7bb8543e9', 'bruno@example.com', 'Somebody', 'FREE', 1795326961733, 1, null, 'customer', 1, 1795326962037);
insert into "account" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', 'per_01a201d35c11772e8c4159bbc538c102', 1, 15000000000, 0, 1795176000000);
insert into "account" values ('acc_01a201d366c177b79a57c2eacfce3453', 'per_01a201d366c177b79a57bef35169fb15', 1, null, 0, 1795176000000);
insert into "account" values ('acc_01a201d366ec774fb8e9713a63cb70d4', 'per_01a201d366c177b79a57bef35169fb15', 1, null, 0, 1795176000000);
insert into "account" values ('acc_01a201d3673272c481f48d273cca3eba', 'per_01a201d3673272c481f48bf3ae6d917a', 1, null, 1, 1795176000000);
insert into "account" values ('acc_01a201d36746725f863395305299f12c', 'per_01a201d36745733b94f378efceddf0b8', 3, null, 0, 1795176000000);
insert into "account" values ('acc_01a201d3686973ae92a1024b713affc6', 'per_01a201d36846737191d2f3c7bb8543e9', 1, null, 0, 1795176000000);
insert into "api_key" values ('key_01a201d3659f759eaa1454547c86c71a', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'production', 'c0218c3cbde1fb8cda56d09d70bbeafa43af9f9404fbb7c9a8399e04b2a91b93', 'svc_live_mt89', 'vtEU', 1795176000000, null, 'secret', null, 10000000000);
insert into "api_key" values ('key_01a201d365c0770e931238a2234303b8', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 'old', 'bee9d21171d6cb4b643679c3b06a9bcc2e3741a75fb7140d89b0f45c35ad4812', 'svc_live_chwa', 'HiAt', 1795176000000, 1795176000000, 'secret', null, null);
insert into "api_key" values ('key_01a201d366d3736189813be600933b22', 'acc_01a201d366c177b79a57c2eacfce3453', 'test', 'd4676af64bff9a48d5e9857604d51f94303b82263d6badf45f7a86606fe555f5', 'svc_live_NdFQ', 'N0PP', 1795176000000, null, 'secret', null, null);
insert into "api_key" values ('key_01a201d36728726c9490913df3e3bf88', 'acc_01a201d366ec774fb8e9713a63cb70d4', 'test', 'd7861ea124f4b255b841663a48c33a340ff64ac8d77ae0aeb911e15c137ed0e1', 'svc_live_FLuR', 'KXbt', 1795176000000, null, 'secret', null, null);
insert into "api_key" values ('key_01a201d367417074a86f32a644b30aff', 'acc_01a201d3673272c481f48d273cca3eba', 'test', '95f3b58fb3f6665b4e36808fb42bd1f1d30bc38079730eb6a224529c2ea478cd', 'svc_live_zP8d', '0gat', 1795176000000, null, 'secret', null, null);
insert into "api_key" values ('key_01a201d3675875ba8bb04c8fa90fe6e9', 'acc_01a201d36746725f863395305299f12c', 'test', '161bd574b24f8d0e6751086e7b3d8323bfa91fb37a764f6d93123581f33086af', 'svc_live_k6CW', 'qnWQ', 1795176000000, null, 'secret', null, null);
insert into "audit" values ('aud_01a201d35c3e75e8969214ca1d5bb6d6', 1795176000000, 'per_01a201d35c11772e8c4159bbc538c102', 'account.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{}');
insert into "audit" values ('aud_01a201d3656677299066a0f1a0e37cb2', 1795176000000, 'payments', 'topup.paid', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5","amount_eur":"50.00"}');
insert into "audit" values ('aud_01a201d3656e721d928de552bec5898d', 1795176000000, 'payments', 'topup.reversed', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5","kind":"refund","amount_eur":"25.00"}');
insert into "audit" values ('aud_01a201d3659f759eaa145a2f06879d21', 1795176000000, 'operator', 'key.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d3659f759eaa1454547c86c71a","name":"production","daily_ceiling_eur":"10.00"}');
insert into "audit" values ('aud_01a201d365c3778188a75d55a59a5ba3', 1795176000000, 'operator', 'key.created', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d365c0770e931238a2234303b8","name":"old"}');
insert into "audit" values ('aud_01a201d365d676f78dd116ec0f16e4d8', 1795176000000, 'operator', 'key.revoked', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"key_id":"key_01a201d365c0770e931238a2234303b8"}');
insert into "audit" values ('aud_01a201d365ea714c846bd9a787216641', 1795176000000, 'operator', 'account.changed', 'acc_01a201d35c3a755899a4a54c0d8a6c16', '{"daily_ceiling_eur":"15.00"}');
insert into "audit" values ('aud_01a201d366c177b79a57c616830c12c1', 1795176000000, 'operator', 'account.created', 'acc_01a201d366c177b79a57c2eacfce3453', '{}');
insert into "audit" values ('aud_01a201d366d4755585564e190b49862c', 1795176000000, 'operator', 'key.created', 'acc_01a201d366c177b79a57c2eacfce3453', '{"key_id":"key_01a201d366d3736189813be600933b22","name":"test"}');
insert into "audit" values ('aud_01a201d366ed73f0a141a1e0e7a3d554', 1795176000000, 'operator', 'account.created', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{}');
insert into "audit" values ('aud_01a201d366fb71d59853a880ccdb4465', 1795176000000, 'operator', 'credit.booked', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{"kind":"grant","amount_eur":"0.000002","reference":"credit-1"}');
insert into "audit" values ('aud_01a201d36728726c949096020545bb7f', 1795176000000, 'operator', 'key.created', 'acc_01a201d366ec774fb8e9713a63cb70d4', '{"key_id":"key_01a201d36728726c9490913df3e3bf88","name":"test"}');
insert into "audit" values ('aud_01a201d367337205915ffd735b58d14e', 1795176000000, 'operator', 'account.created', 'acc_01a201d3673272c481f48d273cca3eba', '{}');
insert into "audit" values ('aud_01a201d3673b744e9159274d59d52063', 1795176000000, 'operator', 'account.changed', 'acc_01a201d3673272c481f48d273cca3eba', '{"suspended":true}');
insert into "audit" values ('aud_01a201d367417074a86f34f06dd76092', 1795176000000, 'operator', 'key.created', 'acc_01a201d3673272c481f48d273cca3eba', '{"key_id":"key_01a201d367417074a86f32a644b30aff","name":"test"}');
insert into "audit" values ('aud_01a201d36746725f8633984f14d6ea82', 1795176000000, 'operator', 'account.created', 'acc_01a201d36746725f863395305299f12c', '{}');
insert into "audit" values ('aud_01a201d3674d7236aa7a1022e89eb9be', 1795176000000, 'operator', 'credit.booked', 'acc_01a201d36746725f863395305299f12c', '{"kind":"deposit","amount_eur":"120.00","reference":"credit-2"}');
insert into "audit" values ('aud_01a201d36752758dbb529d73c53350dc', 1795176000000, 'operator', 'account.changed', 'acc_01a201d36746725f863395305299f12c', '{"min_tier":3}');
insert into "audit" values ('aud_01a201d3675875ba8bb053ebe067d0b9', 1795176000000, 'operator', 'key.created', 'acc_01a201d36746725f863395305299f12c', '{"key_id":"key_01a201d3675875ba8bb04c8fa90fe6e9","name":"test"}');
insert into "audit" values ('aud_01a201d367627475960fbb7d1792e7ca', 1795176000000, 'operator', 'model.switched', null, '{"brand":"nova","enabled":false}');
insert into "audit" values ('aud_01a201d3686973ae92a106613d1d46fb', 1795176000000, 'per_01a201d36846737191d2f3c7bb8543e9', 'account.created', 'acc_01a201d3686973ae92a1024b713affc6', '{}');
insert into "brand_switch" values ('nova', 0);
insert into "session" values ('row_01a201d35dad736eac1204f8aaa3c9dd', '8U28VmYEDnk9T4ImU0aojRgBZPA5MkMb', 'per_01a201d35c11772e8c4159bbc538c102', '10.0.0.3', 'node', 1795931759021, 1795326959021, 1795326959021);
insert into "session" values ('row_01a201d3697a770b8b2e124d7cb63419', 'i8XlIyVUiWDNYxeuWofjetq3NSWeBBSD', 'per_01a201d36846737191d2f3c7bb8543e9', '10.0.0.10', 'node', 1795931762039, 1795326962039, 1795326962039);
insert into "credential" values ('row_01a201d35c28712c8296a73bdb1d7283', 'per_01a201d35c11772e8c4159bbc538c102', 'per_01a201d35c11772e8c4159bbc538c102', 'credential', '$argon2id$v=19$m=19456,t=2,p=1$PwkIqv2MzAySvXek7WQe7Q$xa/jvlxnETo8Px0m0QPxjp4tk6HxwPQLUhxGCSMhBtE', null, null, null, null, null, null, 1795326958631, 1795326958631);
insert into "credential" values ('row_01a201d36851702eaf8715a1dfcdaeed', 'per_01a201d36846737191d2f3c7bb8543e9', 'per_01a201d36846737191d2f3c7bb8543e9', 'credential', '$argon2id$v=19$m=19456,t=2,p=1$zRjAgjXMxc9PKMhg9KWCGQ$ZzVpmLqAPcZsWqZnyXMSBxaWL0S0Cl0FGqxBeUzy6I4', null, null, null, null, null, null, 1795326961745, 1795326961745);
insert into "two_factor" values ('row_01a201d3694b70a494bcbac7d6a2a508', 'per_01a201d36846737191d2f3c7bb8543e9', 'eb156bf11474cd33e11192c8ae8fdb72d36d826be38c05b9f135d1efe42b6bcb88c8f461bb6339399dd394b982741175058018c39a83f4a43d9fd531be4caa5747af0d5efd9a86c1', 'fd0a0c70475e877d6d19a493ff1dc0654a8555b44959f50618bf6fb4e356faf7d094034d904a0f75c334be10225679760ef5ed7d494b6ad677e7beb5bf2712991e5f2d25ad969ee3d5f3d1a54bf9e8db842dad9320e562728afdf4b89998dc3817dc6ca065c96218882a099d040bbfebc6289a3d8e29c2abd6b8dfa3bf469f965cab0ea76cdba6f70f93dba76e30daf9fa1ae730abf578dafb8b00b0ef96d0a384db1268c32cf752ea4b68a89b5cd0dd3f3366e84c', 1, 0, null, null);
insert into "credited_address" values ('XPO7dXVLuGgyaCIZORPWmfUkIegHulPUNF-ssBBeE2s', 'per_01a201d35c11772e8c4159bbc538c102', 1795176000000);
insert into "credited_address" values ('MCX7B159mtR9sGnMkUpK3VCjd0oUSihmIDEsuESw8YA', 'per_01a201d36846737191d2f3c7bb8543e9', 1795176000000);
insert into "oidc_client" values ('chat', 'The app chat', 'public', null, '["https://app.example.com/callback"]', 1795176000000);
insert into "oidc_artifact" values ('Grant', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', '{"iat":1795326959,"exp":1829886959,"accountId":"per_01a201d35c11772e8c4159bbc538c102","clientId":"chat","kind":"Grant","jti":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","openid":{"scope":"openid profile email plano offline_access"}}', null, null, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, null, 1795176000000, 1829736000000);
insert into "oidc_artifact" values ('AuthorizationCode', 'l7fPEfyHBbU53mR45rRdhm5ZivvLuOnFTvuqRRKIx4o', '{"iat":1795326959,"exp":1795327019,"accountId":"per_01a201d35c11772e8c4159bbc538c102","authTime":1795326959,"codeChallenge":"s2Ai6stDjyUBrcxxduxZCcyNTDvSJzgV8_T8b5jfFGk","codeChallengeMethod":"S256","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","redirectUri":"https://app.example.com/callback","scope":"openid profile email plano offline_access","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"AuthorizationCode","clientId":"chat"}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', null, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, 1795176000000, null, 1795176060000);
insert into "oidc_artifact" values ('Session', 'eS61s0hE1ubhYC6LDIUr_OLlSZetsNhD0Mwdj-UwJok', '{"iat":1795326959,"exp":1795931759,"uid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","accountId":"per_01a201d35c11772e8c4159bbc538c102","loginTs":1795326959,"kind":"Session","authorizations":{"chat":{"sid":"1nb_dSYxAYPqAuRGUUR4tUIdHIFldzs5wtYDTDpcnXW","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","persistsLogout":true}}}', null, 'gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp', 'per_01a201d35c11772e8c4159bbc538c102', null, 1795176000000, null, null, 1795780800000);
insert into "oidc_artifact" values ('AccessToken', 'MdqJWfs48VNHiUffJbXWkm3f3PxDn-CrXZzvK4PHMs4', '{"iat":1795326959,"exp":1795330559,"accountId":"per_01a201d35c11772e8c4159bbc538c102","grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","gty":"authorization_code","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"AccessToken","clientId":"chat","scope":"openid profile email plano offline_access"}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', null, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, null, null, 1795179600000);
insert into "oidc_artifact" values ('RefreshToken', '7ABSwEuoJB0rtKicPiVaSjGuRWrqLIZa73buVsr1uTs', '{"iat":1795326959,"exp":1797918959,"accountId":"per_01a201d35c11772e8c4159bbc538c102","authTime":1795326959,"grantId":"2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv","gty":"authorization_code","rotations":0,"scope":"openid profile email plano offline_access","sessionUid":"gG3iA0aEGaCUipZv4tXumaJzToSPbFtP_vs8xDHwGdp","kind":"RefreshToken","clientId":"chat","iiat":1795326959}', '2zbFOXvZEf68ZRqOvnZWocv-DTiSwuUcWg5EIgF0tMv', null, 'per_01a201d35c11772e8c4159bbc538c102', 'chat', 1795176000000, null, null, 1797768000000);
insert into "signing_key" values ('CwD2vY7xy1_K1XpM', '6jEl9lJjJ_b3HcJh7ojg8xIFurgHnVJLMRD3m2ZD96RFUm5adrTYxaTLjlSw6gFFbePKbfXp6dTvCx67_h3i0VQE7ZNuLO9pjlY3VqoGb0UlnvOL8Gci9LWw5UdmiZYBgp3ZKHhwPLAribVVx7K1OwbhoIfiiXKA5OcMewSDRW0zOExsQaUNGr52r-NtIC9j4ILmBrvwT3HL_7az5JbggttQlpcq-S6IeC-XOm5e8VmcdBChT6qDz61G73qbr5mqsNNDKS2HcWhMlS2g8j6Y8bgYecKA6tW0koay-vwxECVdhR3eXKi6HHnKhhRYp-lDwZ4lKe3mUhJieg_1tzJGe6Nz2jRtDfiWFewSyq0lezmn3uaV1tuBVLBjpjys_oOvWuZS-hNL_biRXLph9HK83Rkcl2QSkNFKFZj9hRPcujGZi9HtWGN7kgSE_8F67wg2qhkZ2T6BKoBbGfm7hhOnxQfQVeslpRT2pqAdL7h76qYIiRiz7naO5XcSeTiZNtB0GSTJfsARcPgnDVLTooLAxOGUQDekxaiwm8A5xXm_HOL9kIjGeSYb7t4xH5ssDAUDhoIe1_2bABVh1rpt3Lo8EqeBf0Jv4RPut-7IlfYjizJMUid1APtf31anz2HwqdkON0c9wK_dFJ5DvG25UeTEfrEpSlHdyyX9mUtbdlU7Vs8kVn46EYX96bj6KGF0KNhGOzT4k3NRDGWFrfhyl9NihohO0ku2rcaq3XyPSbM9zyATmM2zXpmCpJEGRa88lCQHzPzcerpk-uq6_-iT-7uwbLkc8YEtFdUUgdUejGPE9sk9w2ofGaGlLaIeOjOrm-xzWB5l1VWO883n9Xt_Mj6TDAfoEwtefiGXWgUB5tu8rRvfYgUjx-3mDdWWtKrkJwqJckJRoLND85ZadEPJzKRCSmT_WpUB8Qvg8IFh3QRtOjAGqii0QvHI-lscAhdynvbb61rohv4ksQeiN9O4nIon_7dfTk17w0wBOp8LnjBkAE_tsOfhbwYlsvWudBdgZUNOv-ZnqOS_pF1nwwjsiBOONAW2ByhVQsAWOiULYnPG2bn3ottzlivqvLZ248eF60eiq-xk-NsP7lf7Lvbydsg725qb79UNPZ3UV3iG1OQusj3YZCdnapC6Odmy0nppXcNYDRjmaczlIcPvdeXrh4SHIFsNNGe75VQLvSiTXCmNpBKwjoLWaL21UH8csOFvRxHiX_Q4ggKweyngQ0Iz_o_4kCbDxDvIiCa4uiE8inssFENFO8O47BjkbNQ5dSrZs8syxz1cpXqCOtZRAfi3MIatno6-Zv4jO14GyqmDUwDWrUy2i-F6tK2Z03KcPfpRlObGuP0tnYyr7MmysouoyMBLhtpR8MM6Fpmq8PNa4T9nX-MrWNq4_ygqRbBaQsoBSC09idd-S5C2SRu5xISKEC0pafVD97FrAp_IsbhdWZUtN8r-h_XXryd3oJp-BUUTjUuR4NiB15ekcsStPx7yrHWyY4K7ovMXVmBPK6MQHbx_7Z18tVh3rrZOwMG_YE3f0xKyYhPIZuHlhHs2jUnSB6i09Td58rfzEUiG3isrLHyJLmZDwDBNvVsblAoPLWt7gKB9zkN9aiR5TnRUMTLJJ5s-W0I3m2LGePRsgtcI41mUjI_msg_W9X0NW0r_AwVJOqmbyw_och248YlKXf5qUrEy5YUQvizjOV0ekbENDpB5puiIWfkZhCgc-iaFRffYquYYBcySntdy6skAaFp0TyEDY3LgBtS0-1M1DnKh2sBz-BYGGdBrwVBK_AOViFEAm9JAUCTIkipcFUJVqEcJ_Jf-XtG9BE2Sa8OOPMz_BC-Gkq3Q8l7T97EmfKNKRstTXE73uM-Q5sATM7yiacf8U8iD2T6WlpKthVxwras5yccL38wkXNBIvYkBUZ3ZDaTmLt67rdWM83iRK89kUXsBMVMcIoxjr-Yg9q2VEJa0cYeVw1uGjoluVjFhENOq7o6etwhjOKo85pyy88DR3zXsXEDoNdO58nBTaPYj6B0Gxt2rXjc7lEgFz_GiR2UlkBXB9eTKvYfQxoBZ2oLabJhGEqmN5AtpNcnHEx1zq1fxl09d4Ka8_ZnR6sWjHyDmweuZFmnVjeBKcEDy4AcuZyBDUzgpkiN2DWRBi4qDupV7QE_R_fvKxX1Pvkvbqo-DW3m9B33R-W-CFjn5cMSuLsJfpW3XZVi76LoRRlYwqr2xjl-Ot5Az853ypi6FITWD-rjWbvc0H2iRcIsyIDucZ6qgoOs', 1795176000000, 0);
insert into "secret_check" values ('secret', 'idaysD8F1F9Yb3gxRk7M3kem2ZksUmHmgN4R8ppCQSM');
insert into "balance" values ('acc_01a201d35c3a755899a4a54c0d8a6c16', 25990797024, 25000000000, '2026-11-20', 1795520, 13, 2, 51000000000);
insert into "balance" values ('acc_01a201d366c177b79a57c2eacfce3453', 1000000000, 0, '', 0, 2, 1, 1000000000);
insert into "balance" values ('acc_01a201d366ec774fb8e9713a63cb70d4', 0, 0, '2026-11-20', 2000, 3, 1, 2000);
insert into "balance" values ('acc_01a201d3673272c481f48d273cca3eba', 1000000000, 0, '', 0, 2, 1, 1000000000);
insert into "balance" values ('acc_01a201d36746725f863395305299f12c', 121000000000, 120000000000, '', 0, 3, 2, 121000000000);
insert into "balance" values ('acc_01a201d3686973ae92a1024b713affc6', 1000000000, 0, '', 0, 2, 1, 1000000000);
insert into "topup" values ('top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, 'sandbox', 1, 'paid', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', 25000000000, null, 0, 1795176000000, 1795176000000);
insert into "topup" values ('top_01a201d3658a72a98cf3aa9954604339', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 20000000000, 'sandbox', 1, 'open', 'cs_test_top_01a201d3658a72a98cf3aa9954604339', null, 0, null, 0, 1795176000000, null);
insert into "payment_event" values ('evt_01a201d3645071df92c15ef1f8c4fd8b', 'paid', 'top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', null, 50000000000, 'eur', 1795176000000, 1795176000000);
insert into "payment_event" values ('evt_01a201d3656b7487960bbad49519b076', 'refunded', 'top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', null, 25000000000, 'eur', 1795176000000, 1795176000000);
insert into "billing_document" values ('R-2026-000001', 'receipt', 'top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 50000000000, '{"name":"svc","address":"Somewhere 1","vatRate":0}', 'Somebody, ana@example.com', 1795176000000);
insert into "billing_document" values ('C-2026-000001', 'credit_note', 'top_01a201d363b2715a90b0c86f53e68bf5', 'acc_01a201d35c3a755899a4a54c0d8a6c16', 25000000000, '{"name":"svc","address":"Somewhere 1","vatRate":0}', 'Somebody, ana@example.com', 1795176000000);
insert into "document_counter" values ('R-2026', 1);
insert into "document_counter" values ('C-2026', 1);
insert into "sandbox_payment" values ('cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pi_test_top_01a201d363b2715a90b0c86f53e68bf5', 'top_01a201d363b2715a90b0c86f53e68bf5', 5000, 2500, 'paid', 'http://127.0.0.1:39375/console/balance?topup=top_01a201d363b2715a90b0c86f53e68bf5', 1795176000000, null, 0);
insert into "sandbox_payment" values ('cs_test_top_01a201d3658a72a98cf3aa9954604339', 'pi_test_top_01a201d3658a72a98cf3aa9954604339', 'top_01a201d3658a72a98cf3aa9954604339', 2000, 0, 'open', 'http://127.0.0.1:39375/console/balance?topup=top_01a201d3658a72a98cf3aa9954604339', 1795176000000, null, 0);
insert into "sandbox_event" values ('evt_01a201d3645071df92c15ef1f8c4fd8b', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'pay', '{"id":"evt_01a201d3645071df92c15ef1f8c4fd8b","object":"event","type":"checkout.session.completed","created":1795176000,"livemode":false,"data":{"object":{"id":"cs_test_top_01a201d363b2715a90b0c86f53e68bf5","object":"checkout.session","client_reference_id":"top_01a201d363b2715a90b0c86f53e68bf5","payment_intent":"pi_test_top_01a201d363b2715a90b0c86f53e68bf5","payment_status":"paid","amount_total":5000,"currency":"eur"}}}', 1795176000000, 1795176000000);
insert into "sandbox_event" values ('evt_01a201d3656b7487960bbad49519b076', 'cs_test_top_01a201d363b2715a90b0c86f53e68bf5', 'refund_half', '{"id":"evt_01a201d3656b7487960bbad49519b076","object":"event","type":"charge.refunded","created":1795176000,"livemode":false,"data":{"object":{"id":"ch_test_top_01a201d363b2715a90b0c86f53e68bf5","object":"charge","amount":5000,"amount_refunded":2500,"currency":"eur","payment_intent":"pi_test_top_01a201d363b2715a90b0c86f53e68bf5","metadata":{"topup_id":"top_01a201d363b2715a90b0c86f53e68bf5"}}}}', 1795176000000, 1795176000000);
CREATE INDEX receipt_of_account on receipt (account_id, request_id);
CREATE INDEX account_of_person on account (person_id);
CREATE INDEX api_key_of_account on api_key (account_id);
CREATE INDEX session_of_person on session (user_id);
CREATE INDEX session_expiry on session (expires_at);
CREATE UNIQUE INDEX credential_of_person on credential (user_id, provider_id);
CREATE INDEX verification_identifier on verification (identifier);
CREATE INDEX verification_expiry on verification (expires_at);
CREATE INDEX two_factor_of_person on two_factor (user_id);
CREATE INDEX passkey_of_person on passkey (user_id);
CREATE INDEX lock_out_age on lock_out (updated_at);
CREATE INDEX oidc_artifact_grant on oidc_artifact (grant_id) where grant_id is not null;
CREATE INDEX oidc_artifact_uid on oidc_artifact (uid) where uid is not null;
CREATE INDEX oidc_artifact_person on oidc_artifact (account_id) where account_id is not null;
CREATE INDEX oidc_artifact_client on oidc_artifact (client_id) where client_id is not null;
CREATE INDEX oidc_artifact_expiry on oidc_artifact (expires_at);
CREATE INDEX topup_of_account on topup (account_id, id);
CREATE INDEX payment_event_of_topup on payment_event (topup_id) where topup_id is not null;
CREATE INDEX payment_event_of_payment on payment_event (payment_id) where payment_id is not null;
CREATE INDEX billing_document_of_topup on billing_document (topup_id);
CREATE INDEX sandbox_event_waiting on sandbox_event (session_id, created_at) where told_at is null;
CREATE INDEX billing_document_of_account on billing_document (account_id, issued_at);
CREATE INDEX entry_by_time on transfer (created_at, reference)
      where kind not in ('charge', 'write_off');
CREATE INDEX account_day_of_day on account_day (day);
CREATE UNIQUE INDEX console_key_of_account on api_key (account_id)
        where kind = 'console' and revoked_at is null;
CREATE INDEX movement_by_debit on transfer (debit, created_at, reference)
      where kind not in ('charge', 'write_off');
CREATE INDEX movement_by_credit on transfer (credit, created_at, reference)
      where kind not in ('charge', 'write_off');
CREATE INDEX account_day_of_key on account_day (account_id, key_id, day);
CREATE INDEX sign_in_link_of_person on sign_in_link (person_id);
CREATE INDEX sign_in_link_expiry on sign_in_link (expires_at);
