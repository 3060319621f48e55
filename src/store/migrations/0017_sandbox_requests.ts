import { type Kysely, sql } from 'kysely'
import { own, rowSecurity } from './policies.ts'

/** What tenants of a sandbox have asked its parties to do: to order from them, or to grant them agreements (choices, Sandbox: requests). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(REQUESTS).execute(db)
}

const REQUESTS = `
create table sandbox_requests (
  request_id text primary key,
  kind       text not null check (kind in ('order', 'agreements')),
  tenant     text not null references tenants,
  body       json not null,
  outcome    json, -- null until a party has done it
  made_at    timestamptz not null default now()
);
create index sandbox_requests_age on sandbox_requests (made_at);
${rowSecurity('sandbox_requests', { select: own('tenant'), insert: own('tenant'), update: own('tenant') })}
-- A tenant may only ask again.
grant select, insert, update (outcome, made_at) on sandbox_requests to marketplace_app;
grant select, update, delete on sandbox_requests to marketplace_platform;
`
