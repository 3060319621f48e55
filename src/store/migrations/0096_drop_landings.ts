import { type Kysely, sql } from 'kysely'

/** What bounds a seller's files: those that are landing just now count as those that have, and their bytes are counted in all (choices, File drops). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [LANDINGS, STOCK, FORGET]) await sql.raw(statement).execute(db)
}

const OWN = 'seller = any((select acting_tenants())::text[])'

const LANDINGS = `
create table drop_landings (
  landing_id bigint generated always as identity primary key,
  seller     text not null references sellers,
  drop_id    text not null,
  filename   text not null,
  bytes      bigint not null, -- that the file may have until it asks for more
  until      timestamptz not null -- a process that was killed leaves its row
);
create index drop_landings_of_seller on drop_landings (seller, drop_id);
alter table drop_landings enable row level security;
create policy platform on drop_landings to marketplace_platform using (true) with check (true);
create policy tenant_select on drop_landings for select to marketplace_app using (${OWN});
create policy tenant_insert on drop_landings for insert to marketplace_app with check (${OWN});
create policy tenant_update on drop_landings for update to marketplace_app using (${OWN});
create policy tenant_delete on drop_landings for delete to marketplace_app using (${OWN});
grant select, insert, update, delete on drop_landings to marketplace_app;
`

const STOCK = `
create table drop_stock (
  seller text primary key references sellers,
  bytes  bigint not null -- of drop_files
);
alter table drop_stock enable row level security;
create policy platform on drop_stock to marketplace_platform using (true) with check (true);
create policy tenant_select on drop_stock for select to marketplace_app using (${OWN});
grant select on drop_stock to marketplace_app;
insert into drop_stock select seller, sum(size) from drop_files group by seller;

-- A trigger, so that whatever writes files is counted: a sum over all of them would be read for each file that lands.
create function count_drop_stock() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.drop_stock as stock (seller, bytes)
    values (coalesce(new.seller, old.seller), coalesce(new.size, 0) - coalesce(old.size, 0))
    on conflict (seller) do update set bytes = stock.bytes + excluded.bytes;
  return null;
end $$;
create trigger drop_files_counted after insert or delete or update of size on drop_files for each row execute function count_drop_stock();
`

const FORGET = `
create policy tenant_delete on drop_files for delete to marketplace_app using (${OWN});
grant delete on drop_files to marketplace_app;
`
