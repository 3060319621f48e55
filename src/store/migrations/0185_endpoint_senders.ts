import { type Kysely, sql } from 'kysely'

/**
 * Which process sends to a webhook endpoint, and until when unless it says again that it does. A row an endpoint, changed in place: `woken` is how
 * another process, which has found it taken, makes its sender look once more. Workers of the version before do not ask here: while both run, an
 * endpoint may have two senders, and an event come twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, ACCESS]) await sql.raw(statement).execute(db)
}

const TABLE = `
create table endpoint_senders (
  endpoint_id text primary key,
  sender      text not null,
  held_until  timestamptz not null,
  woken       boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0)
`

const ACCESS = `
alter table endpoint_senders enable row level security;
create policy platform on endpoint_senders to marketplace_platform using (true) with check (true);
grant select, insert, update, delete on endpoint_senders to marketplace_app;
`
