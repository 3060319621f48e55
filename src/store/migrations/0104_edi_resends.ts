import { type Kysely, sql } from 'kysely'

/** Mails that a side of an order asked for: they count against its limit, and a repeat of the request answers the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await sql.raw('create policy platform on edi_resends to marketplace_platform using (true) with check (true)').execute(db)
  await sql.raw(`create policy tenant_select on edi_resends for select to marketplace_app using (${OWN})`).execute(db)
  await sql.raw(`create policy tenant_insert on edi_resends for insert to marketplace_app with check (${OWN})`).execute(db)
}

const OWN = 'tenant = any((select acting_tenants())::text[])'

const TABLE = `
create table edi_resends (
  message_id text primary key references edi_messages,
  order_id   text not null,
  tenant     text not null, -- who asked
  asked_at   timestamptz not null,
  key        text, -- its Idempotency-Key
  body_hash  bytea,
  reply      text not null,
  unique (order_id, tenant, key),
  check ((key is null) = (body_hash is null))
);
create index edi_resends_of on edi_resends (order_id, tenant, asked_at);
create index edi_resends_age on edi_resends (asked_at);
alter table edi_resends enable row level security;
grant select, insert on edi_resends to marketplace_app;
grant delete on edi_resends to marketplace_platform;
`
