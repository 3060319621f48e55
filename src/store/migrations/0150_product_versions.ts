import { type Kysely, sql } from 'kysely'

/**
 * A large catalog is written in many short transactions and becomes visible with the last: until then a product may have two rows, the one in force
 * and the one that replaces it. Numbers are those of commits, of which `sellers.unpublished_commit_nos` names the unpublished ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [VERSIONS, ...['day', 'week', 'month'].map(NEWEST_BY), REMOVAL]) await sql.raw(statement).execute(db)
}

const VERSIONS = `
alter table products
  add column added_by bigint not null default 0, -- the large update that wrote the row; 0: it was written in one transaction
  add column replaced_by bigint not null default 0, -- the large update that replaces the row; 0: none does
  drop constraint products_pkey,
  add primary key (seller, product_id, replaced_by);
drop index products_external_ref;
create unique index products_external_ref on products (seller, external_ref, replaced_by) where external_ref is not null;
create index products_replaced on products (seller) where replaced_by <> 0;
`

const NEWEST_BY = (grain: string) => `
drop index products_by_${grain};
create index products_by_${grain} on products (seller, reader, visibility, sold_until) where body->>'grains' like '%"${grain}"%' and replaced_by = 0;
`

const REMOVAL = `
create function refuse_delete_in_force() returns trigger language plpgsql as $$
declare
  unpublished bigint[] := (select s.unpublished_commit_nos from public.sellers s where s.seller = old.seller);
begin
  if (old.added_by = 0 or old.added_by <> all(unpublished)) and (old.replaced_by = 0 or old.replaced_by = any(unpublished)) then
    raise exception 'a product in force is never deleted' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger products_in_force before delete on products for each row execute function refuse_delete_in_force();
grant delete on products to marketplace_app;
grant update on seller_offers to marketplace_app;
`
