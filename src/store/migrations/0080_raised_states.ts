import { type Kysely, sql } from 'kysely'

/**
 * What ends a statement because the world has moved on since it was read: functions that raise an SQLSTATE of our own, in place of a division by
 * zero. `databaseFault.ts` knows their codes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTIONS).execute(db)
}

// Volatile, as is the default: neither is evaluated while a statement is planned.
const FUNCTIONS = `
create function order_moved() returns integer language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'the order has moved on since it was read' using errcode = 'OM001';
end $$;
create function order_outdated() returns integer language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'an upload or a hold that the order names has changed since it was read' using errcode = 'OM002';
end $$;
revoke execute on function order_moved, order_outdated from public;
grant execute on function order_moved, order_outdated to marketplace_app;
`
