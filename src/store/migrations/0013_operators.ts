import { type Kysely, sql } from 'kysely'
import { rowSecurity } from './policies.ts'

/**
 * Operators see what the machine does for every tenant and nothing of what tenants write: views that leave out documents, prices and secrets. A view is
 * empty unless the transaction acts for an operator, or is the platform's own. Beside it what workers report of themselves and of Temporal, to which the
 * API does not speak.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(REPORTS).execute(db)
  for (const [name, columns] of Object.entries(VIEWS)) await sql.raw(viewOf(name, columns)).execute(db)
  await sql.raw(FEED_AGE).execute(db)
}

const REPORTS = `
create table workers (
  worker_id  text primary key,
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now()
);
${rowSecurity('workers')}
grant select, insert, update, delete on workers to marketplace_app;

-- At most one row. A worker takes the report by moving claimed_at, so that only one asks Temporal at a time.
create table engine_reports (
  only_one     boolean primary key default true check (only_one),
  claimed_at   timestamptz not null default now(),
  reported_at  timestamptz,
  reachable    boolean not null default false,
  stuck        jsonb not null default '[]',
  schedules    jsonb not null default '[]',
  -- The namespace in Temporal to which the runs of this database belong. One that is made anew has another id and no runs, so that everything that is open
  -- gets one.
  namespace_id text
);
${rowSecurity('engine_reports')}
grant select, insert, update, delete on engine_reports to marketplace_app;
`

/** The host alone: paths and queries of receivers and of sellers' servers may hold secrets. */
const hostOf = (url: string) => `substring(${url} from '^[a-z]+://(?:[^/?#@]*@)?([^/?#@]+)')`

const VIEWS: Readonly<Record<string, string>> = {
  orders:
    'order_id, seller, buyer_entity, workflow, status, substatus, last_seq, created_at, updated_at, parked_since, decide_by, due_at, closed, gate_due, stuck_reason',
  // When an order moved and by which kind of decision, without what it orders, who decided and why.
  order_events: `order_id, seq, occurred_at, body::json->>'status' as status, body::json->>'substatus' as substatus,
    body::json->'decision_record'->>'gate' as gate, body::json->'decision_record'->>'decision' as decision, body::json->'error'->>'error_code' as error_code`,
  outbox: 'outbox_id, kind, target, attempts, claimable_at, created_at',
  webhook_endpoints: `endpoint_id, tenant, ${hostOf('url')} as host, status, disabled_reason, failing_since, created_at`,
  deliveries: 'endpoint_id, delivery_no, status, created_at, due_at',
  edi_messages:
    'message_id, status, created_at, order_id, seller, status_reason, agreement_id, buyer_entity, document, stuck, attempts, due_at',
  queue_deliveries: 'tenant, failing_since, failure',
  drops:
    'seller, drop_id, run_no, registration, registered_at, status, stage, rows_written, rows_rejected, error_count, stuck_reason, ended_at, replay_of_drop_id',
  sellers: `seller, profile->>'approval' as approval, (profile->>'realtime_availability')::boolean as realtime_availability,
    (profile->>'holds')::boolean as holds, ${hostOf("profile->'transports'->'pull'->>'base_url'")} as host`,
  remote_asks: 'order_id, accepted, asks, unreachable, asked_at',
  workers: 'worker_id, started_at, seen_at',
  engine_reports: 'reported_at, reachable, stuck, schedules',
}

function viewOf(table: string, columns: string): string {
  return `
create view ops_${table} as select ${columns} from ${table} where (select pg_has_role(current_user, 'marketplace_platform', 'member') or operator_acts());
grant select on ops_${table} to marketplace_app;
`
}

/** Seconds for which the oldest open transaction that writes has kept later events off the feeds. */
const FEED_AGE = `
create function ops_feed_age() returns double precision language sql stable security definer set search_path = pg_catalog as $$
  select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::double precision from pg_stat_activity
  where backend_xid is not null and pid <> pg_backend_pid() and public.operator_acts()
$$;
revoke execute on function ops_feed_age from public;
grant execute on function ops_feed_age to marketplace_app;
`
