import { type Kysely, sql } from 'kysely'

/** Tenants whose events go to a message queue: what they asked for, and the place in their feed up to which the broker has confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table queue_deliveries (
  tenant        text primary key references tenants,
  events        text[],
  statuses      text[],
  txid          xid8 not null,
  position      bigint not null,
  created_at    timestamptz not null default now(),
  failing_since timestamptz,
  failure       text
);
grant select, insert, update, delete on queue_deliveries to marketplace_app;
`)
    .execute(db)
}
