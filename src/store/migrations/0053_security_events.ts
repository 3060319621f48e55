import { type Kysely, sql } from 'kysely'

/** The audit log of security acts: who did what to whom may do what, from where, and with which credential somebody was refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  // Credentials with every scope of their side keep it.
  for (const [side, scopes] of Object.entries(EVERY_SCOPE)) {
    await sql`update credentials set scopes = scopes || array['audit:read']
      where side = ${side} and scopes @> ${scopes}::text[] and not 'audit:read' = any(scopes)`.execute(db)
  }
}

const EVERY_SCOPE = {
  buyer: ['orders:write', 'webhooks:write', 'settlement:read', 'orders:read', 'catalog:read'],
  seller: ['orders:approve', 'catalog:write', 'webhooks:write', 'settlement:read', 'orders:read', 'catalog:read'],
}

const TABLE = `
create table security_events (
  event_id      text primary key,
  entity        text not null,
  side          text not null check (side in ('buyer', 'seller')),
  occurred_at   timestamptz not null default now(),
  action        text not null,
  via           text not null check (via in ('api', 'command_line', 'platform')),
  credential_id text, -- null where no credential acted
  source_ip     text,
  target        text,
  before        json, -- the members that differ, never a secret
  after         json,
  times         integer not null default 1 check (times > 0)
);
create index security_events_of_tenant on security_events (entity, event_id);
-- How much a tenant has done in a day is bounded: this finds the oldest of so many acts.
create index security_acts_of_tenant on security_events (entity, event_id) where via = 'api' and action <> 'sign_in.refused';

create trigger security_events_append_only before update or delete on security_events for each row execute function refuse_change();
create trigger security_events_never_truncated before truncate on security_events for each statement execute function refuse_change();
grant select, insert on security_events to marketplace_app;
`
