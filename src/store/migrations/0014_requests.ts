import { type Kysely, sql } from 'kysely'
import { own, rowSecurity, whole } from './policies.ts'

/** What is kept of requests: answers to those with an Idempotency-Key, and a log of those that were refused or failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [KEYS, REFUSED]) await sql.raw(statement).execute(db)
}

const KEYS = `
-- What requests with an Idempotency-Key were answered, sealed since a reply may show a secret.
create table request_keys (
  tenant     text not null,
  operation  text not null,
  key        text not null,
  body_hash  bytea not null,
  reply      bytea, -- null while the request is carried out
  created_at timestamptz not null default now(),
  primary key (tenant, operation, key)
);
create index request_keys_age on request_keys (created_at);
${rowSecurity('request_keys', whole(own('tenant')))}
grant select, insert, update, delete on request_keys to marketplace_app;
grant select, delete on request_keys to marketplace_platform;
`

const REFUSED = `
-- For their tenants: never a body, a query or a token.
create table refused_requests (
  refused_no    bigint generated always as identity primary key,
  tenant        text not null,
  at            timestamptz not null,
  request_id    text not null,
  operation     text not null,
  method        text not null,
  path          text not null,
  status        smallint not null,
  error_code    text not null,
  pointers      text not null, -- a JSON array
  credential_id text not null
);
create index refused_requests_of_tenant on refused_requests (tenant, refused_no);
create index refused_requests_age on refused_requests (at);
${rowSecurity('refused_requests', { select: own('tenant'), insert: own('tenant') })}
grant select, insert on refused_requests to marketplace_app;
grant select, delete on refused_requests to marketplace_platform;
`
