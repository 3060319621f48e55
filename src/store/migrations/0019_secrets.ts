import { type Kysely, sql } from 'kysely'

/** Secrets of tenants, encrypted before they come here. The key is not in the database; its fingerprint says whether one is the right one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table secrets_key (
  one         boolean primary key default true check (one),
  fingerprint bytea not null
);

create table tenant_secrets (
  tenant     text not null references tenants,
  name       text not null,
  sealed     bytea not null,
  updated_at timestamptz not null default now(),
  primary key (tenant, name)
);

grant select, insert on secrets_key to marketplace_app;
grant select, insert, update on tenant_secrets to marketplace_app;
`)
    .execute(db)
}
