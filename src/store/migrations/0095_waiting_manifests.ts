import { type Kysely, sql } from 'kysely'

/** What a manifest.json that has landed waits for, as its seller reads it (choices, File drops). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(WAITS).execute(db)
}

const WAITS = `
alter table landed_manifests
  add column waits_for text check (waits_for in ('waiting_for_files', 'hashing_files', 'daily_limit')), -- null before it was looked at
  add column errors json not null default '[]'; -- what a result would say if it were refused now
create policy tenant_select on landed_manifests for select to marketplace_app using (seller = any((select acting_tenants())::text[]));
`
