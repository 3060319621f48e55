import { type Kysely, sql } from 'kysely'

/**
 * A seller reads what a buyer attached to an order: the upload is the buyer's row, and this is the one way to it for a party of the order. Holds are
 * listed to their seller.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create function attached_upload(wanted_order text, wanted_upload text)
  returns table (upload_id text, filename text, size_bytes bigint, claimed_at timestamptz)
  language sql stable security definer as $$
  select u.upload_id, u.filename, u.size_bytes, u.claimed_at from public.uploads u
    join public.order_uploads o on o.upload_id operator(pg_catalog.=) u.upload_id
  where o.order_id operator(pg_catalog.=) wanted_order and u.upload_id operator(pg_catalog.=) wanted_upload and u.status operator(pg_catalog.=) 'uploaded'
    and (public.is_party(wanted_order, public.acting_tenants()))
$$;
revoke execute on function attached_upload from public;
grant execute on function attached_upload to marketplace_app;
create index holds_of_seller on holds (seller, hold_id);
`)
    .execute(db)
}
