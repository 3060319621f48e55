import { type Kysely, sql } from 'kysely'

/** An issuer speaks for buyers and sellers: no token of it makes a tenant of operators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create or replace function create_tenant(entity text, side text, profile jsonb) returns void
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  if create_tenant.side not in ('buyer', 'seller') then
    raise exception 'a tenant of an issuer is a buyer or a seller';
  end if;
  insert into public.tenants (entity, side, name) values (create_tenant.entity, create_tenant.side, create_tenant.entity) on conflict do nothing;
  if create_tenant.side = 'seller' and found then
    insert into public.sellers (seller, profile) values (create_tenant.entity, create_tenant.profile);
  end if;
end $$;
`)
    .execute(db)
}
