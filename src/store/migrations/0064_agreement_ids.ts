import { type Kysely, sql } from 'kysely'

/** Agreement ids are unique over all sellers: whether another one has an id is asked without seeing whose agreement it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create function is_foreign_agreement(wanted text, asking text) returns boolean language sql stable security definer set search_path = pg_catalog as $$
  select exists (select from public.agreements a where a.agreement_id = wanted and a.seller <> asking)
$$;
revoke execute on function is_foreign_agreement from public;
grant execute on function is_foreign_agreement to marketplace_app, marketplace_platform;
`)
    .execute(db)
}
