import { type Kysely, sql } from 'kysely'

/**
 * How sellers' own files are read. A version that was replaced stays while a drop that was registered with it is open. A drop keeps which versions
 * were in force at its registration, and by which of them each file was read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [MAPPINGS, DROPS]) await sql.raw(statement).execute(db)
}

const OWN = 'seller = any((select acting_tenants())::text[])'

const MAPPINGS = `
create table drop_mappings (
  seller     text not null references sellers,
  name       text not null,
  version    text not null, -- a hash of the body
  type       text not null,
  body       json not null,
  is_current boolean not null default true,
  updated_at timestamptz not null default now(),
  primary key (seller, name, version)
);
create unique index drop_mappings_current on drop_mappings (seller, name) where is_current;
alter table drop_mappings enable row level security;
create policy platform on drop_mappings to marketplace_platform using (true) with check (true);
create policy tenant_select on drop_mappings for select to marketplace_app using (${OWN});
create policy tenant_insert on drop_mappings for insert to marketplace_app with check (${OWN});
create policy tenant_update on drop_mappings for update to marketplace_app using (${OWN});
create policy tenant_delete on drop_mappings for delete to marketplace_app using (${OWN});
grant select, insert, update, delete on drop_mappings to marketplace_app;
`

const DROPS = `
alter table drops add column mappings json not null default '[]', -- {name, version} of those in force at the registration
  add column mapped json not null default '[]' -- {file, mapping, version}`
