import { type Kysely, sql } from 'kysely'

/** Invoices on cleared trades, and the counters of their numbers (choices, Invoices). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
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
const OWN = 'seller = any((select acting_tenants())::text[])'
const POLICIES = {
  invoices: { select: PARTY, insert: OWN, update: OWN },
  invoice_counters: { select: OWN, insert: OWN, update: OWN },
}

const TABLES = `
create table invoices (
  invoice_id        text primary key,
  seller            text not null references sellers,
  buyer_entity      text not null,
  order_id          text not null references orders,
  external_order_id text not null,
  agreement_id      text not null,
  estimate_id       text,
  broadcast_month   text not null,
  kind              text not null check (kind in ('invoice', 'credit_note')),
  n                 integer not null check (n > 0), -- of its kind, order and month
  invoice_number    text not null,
  credits           text references invoices, -- the invoice that a credit note credits
  reason            text,
  order_seq         integer not null, -- the last event of the order when it was issued
  currency          text not null,
  gross             numeric not null,
  commission_pct    numeric not null,
  commission        numeric not null,
  net               numeric not null,
  credited          numeric not null default 0, -- by credit notes
  disputed          numeric not null default 0, -- of units under dispute
  lines             json not null,
  status            text not null default 'issued' check (status in ('issued', 'paid', 'credited')),
  issued_at         timestamptz not null,
  paid_at           timestamptz,
  paid_on           date,
  reference         text,
  unique (order_id, broadcast_month, kind, n),
  unique (seller, invoice_number),
  check (kind = 'invoice' or credits is not null)
);
create index invoices_of_buyer on invoices (buyer_entity, invoice_id);
create index invoices_of_seller on invoices (seller, invoice_id);
create index invoices_under_agreement on invoices (agreement_id, broadcast_month, invoice_id);

-- The number is taken in the transaction that issues, so that none is left out when it is rolled back.
create table invoice_counters (
  seller          text not null references sellers,
  broadcast_month text not null,
  last            integer not null check (last > 0),
  primary key (seller, broadcast_month)
);

grant select, insert on invoices to marketplace_app;
grant update (status, paid_at, paid_on, reference, credited, disputed) on invoices to marketplace_app;
grant select, insert, update on invoice_counters to marketplace_app;
`
