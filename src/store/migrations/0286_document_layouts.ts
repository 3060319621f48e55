import { type Kysely, sql } from 'kysely'

/** What a buyer said of documents of one layout to a seller, to be proposed for the next one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(LAYOUTS).execute(db)
}

const OWN = 'buyer = any((select acting_tenants())::text[])'

const LAYOUTS = `
create table document_layouts (
  buyer       text not null,
  seller      text not null,
  fingerprint text not null, -- a hash of the words of its headings
  answers     json not null, -- {kind, label, choice}
  said_at     timestamptz not null default now(),
  primary key (buyer, seller, fingerprint)
);
alter table document_layouts enable row level security;
create policy platform on document_layouts to marketplace_platform using (true) with check (true);
create policy tenant_select on document_layouts for select to marketplace_app using (${OWN});
create policy tenant_insert on document_layouts for insert to marketplace_app with check (${OWN});
create policy tenant_update on document_layouts for update to marketplace_app using (${OWN});
create policy tenant_delete on document_layouts for delete to marketplace_app using (${OWN});
grant select, insert, update, delete on document_layouts to marketplace_app;
`
