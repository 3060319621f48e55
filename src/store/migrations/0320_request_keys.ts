import { type Kysely, sql } from 'kysely'

/** What requests with an Idempotency-Key were answered, sealed since a reply may show a secret. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
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
alter table request_keys enable row level security;
create policy platform on request_keys to marketplace_platform using (true) with check (true);
create policy tenant_select on request_keys for select to marketplace_app using (${OWN});
create policy tenant_insert on request_keys for insert to marketplace_app with check (${OWN});
create policy tenant_update on request_keys for update to marketplace_app using (${OWN});
create policy tenant_delete on request_keys for delete to marketplace_app using (${OWN});
grant select, insert, update, delete on request_keys to marketplace_app;
grant select, delete on request_keys to marketplace_platform;
`)
    .execute(db)
}

const OWN = 'tenant = any((select acting_tenants())::text[])'
