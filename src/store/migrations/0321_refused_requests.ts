import { type Kysely, sql } from 'kysely'

/** The log of requests that were refused or failed, for their tenants: never a body, a query or a token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
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
alter table refused_requests enable row level security;
create policy platform on refused_requests to marketplace_platform using (true) with check (true);
create policy tenant_select on refused_requests for select to marketplace_app using (${OWN});
create policy tenant_insert on refused_requests for insert to marketplace_app with check (${OWN});
grant select, insert on refused_requests to marketplace_app;
grant select, delete on refused_requests to marketplace_platform;
`)
    .execute(db)
}

const OWN = 'tenant = any((select acting_tenants())::text[])'
