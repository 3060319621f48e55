import { type Kysely, sql } from 'kysely'

/**
 * Reconciliations: the result of each order as a head with its lines, which the platform writes, and what both parties say of variances. Orders that
 * are due to be reconciled have a time from which they are, so that one whose recompute fails is tried again later (choices, Reconciliation).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLES, DUE, GRANTS]) await sql.raw(statement).execute(db)
  for (const [table, policies] of Object.entries(POLICIES)) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      ...Object.entries(policies).map(([command, rule]) => {
        const clause = command === 'insert' ? 'with check' : 'using'
        return `create policy tenant_${command} on ${table} for ${command} to marketplace_app ${clause} (${rule})`
      }),
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}

const PARTY = 'array[seller, buyer_entity] && (select acting_tenants())'
const OWN_SIDE = `case side when 'buyer' then buyer_entity else seller end = any((select acting_tenants())::text[])`
const POLICIES = {
  // A tenant that acts on a variance moves the revision of its order.
  reconciliations: { select: PARTY, update: PARTY },
  reconciliation_lines: { select: PARTY },
  variance_actions: { select: PARTY, insert: OWN_SIDE },
}

const TABLES = `
create table reconciliations (
  order_id         text primary key,
  seller           text not null references sellers,
  buyer_entity     text not null,
  agreement_id     text,
  currency         text not null,
  revision         integer not null default 1 check (revision > 0), -- 1 up at each change that a reader sees
  result           integer not null default 1, -- which lines are current: those of other results are being written or deleted
  state            text not null check (state in ('reconciled', 'too_large')),
  coverage         json not null,
  totals           json not null,
  guarantees       json not null,
  codes            text[] not null, -- the distinct codes of its variances
  broadcast_months text[] not null, -- of its lines
  digest           bytea not null, -- of all that is computed, lines included
  reconciled_at    timestamptz not null default now(), -- when the result changed last
  changed_txid     xid8 not null default feed_txid() -- read below feed_horizon(), as the feed is
);
create index reconciliations_of_buyer on reconciliations (buyer_entity, changed_txid, order_id);
create index reconciliations_of_seller on reconciliations (seller, changed_txid, order_id);

create table reconciliation_lines (
  order_id        text not null,
  result          integer not null, -- of reconciliations
  line            integer not null check (line > 0), -- its place in the result
  seller          text not null,
  buyer_entity    text not null,
  unit_id         text,
  network         text not null,
  air_date        date not null,
  broadcast_month text not null,
  codes           text[] not null,
  body            json not null, -- as it is read, with its variances
  primary key (order_id, result, line)
);

create table variance_actions (
  order_id        text not null references reconciliations,
  variance_id     text not null,
  n               integer not null check (n > 0),
  seller          text not null,
  buyer_entity    text not null,
  action          text not null check (action in ('accept', 'dispute', 'credit', 'uphold')),
  side            text not null check (side in ('buyer', 'seller')),
  actor           text not null,
  note            text,
  amount          numeric,
  invoice_id      text references invoices, -- the credit note of a credit
  code            text not null, -- what the variance was when it was acted on, since later data may end it
  unit_id         text,
  network         text not null,
  air_date        date not null,
  broadcast_month text not null,
  units           integer not null,
  gross           numeric not null,
  at              timestamptz not null default now(),
  primary key (order_id, variance_id, n)
);
create trigger variance_actions_append_only before update or delete on variance_actions for each row execute function refuse_change();
create trigger variance_actions_never_truncated before truncate on variance_actions for each statement execute function refuse_change();
`

const DUE = `
alter table reconcile_due
  add column due_at timestamptz not null default now(),
  add column attempts integer not null default 0, -- that failed
  add column fault text; -- of the last one
drop index reconcile_due_of_seller;
create index reconcile_due_of_seller on reconcile_due (seller, due_at, order_id);
`

const GRANTS = `
grant select on reconciliations, reconciliation_lines to marketplace_app;
grant update (revision, changed_txid) on reconciliations to marketplace_app;
grant insert, update, delete on reconciliations, reconciliation_lines to marketplace_platform;
grant select, insert on variance_actions to marketplace_app;
`
