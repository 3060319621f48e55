import { type Kysely, sql } from 'kysely'

/**
 * What sellers send of what aired and what they bill, by order: rows of logs, of invoices and of audience posts, each kept once, and which logs, invoices
 * and posts there are. Takes the rows of `delivery_posts` over, but for those of orders that the seller does not have. Orders whose rows change are due
 * to be reconciled.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLES, ...MOVES, 'drop table delivery_posts']) await sql.raw(statement).execute(db)
  for (const table of ['as_run_days', 'as_run_rows', 'seller_invoices', 'billed_rows', 'post_rows', 'reconcile_due']) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      `grant select on ${table} to marketplace_app`,
      `grant insert, update, delete on ${table} to marketplace_platform`,
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}

/** Where a row or a whole was sent: the registration of the drop, the file, the row. */
const SENT = `
  registration bigint not null,
  file         text not null`
const AIRING = `
  seller               text not null,
  order_id             text not null,
  network              text not null,
  broadcast_date       date not null,
  air_date             date not null,
  air_time             text,
  clock                text not null,
  spot_length          integer not null,
  isci                 text,
  unit_id              text,
  makegood_for_unit_id text,
  makegood_for_date    date,
  ran                  boolean not null,${SENT},
  row                  bigint not null`

const TABLES = `
-- A day of a network's log: what is sent again replaces it whole. '' is the log without an id.
create table as_run_days (
  seller         text not null references sellers,
  network        text not null,
  broadcast_date date not null,
  log_id         text not null,
  revision       bigint not null,${SENT},
  primary key (seller, network, broadcast_date, log_id)
);

create table as_run_rows (${AIRING},
  log_id text not null,
  status text not null,
  reason text,
  primary key (registration, file, row)
);
create index as_run_rows_of_order on as_run_rows (order_id);
create index as_run_rows_of_day on as_run_rows (seller, network, broadcast_date, log_id);

create table seller_invoices (
  seller          text not null references sellers,
  invoice_number  text not null,
  invoice_date    date not null,
  broadcast_month text not null,
  gross           numeric,
  commission      numeric,
  net             numeric,
  spot_count      integer,
  revision        bigint not null,${SENT},
  primary key (seller, invoice_number)
);

create table billed_rows (${AIRING},
  invoice_number  text not null,
  broadcast_month text not null,
  rate            numeric not null,
  primary key (registration, file, row)
);
create index billed_rows_of_order on billed_rows (order_id);
create index billed_rows_of_invoice on billed_rows (seller, invoice_number);

create table post_rows (
  seller        text not null references sellers,
  order_id      text not null,
  unit_id       text not null,
  network       text not null,
  air_date      date not null,
  audience_code text not null,
  stream        text not null,
  impressions   numeric not null,
  final         boolean not null,
  revision      bigint not null,${SENT},
  row           bigint not null,
  primary key (seller, unit_id, air_date, audience_code, stream)
);
create index post_rows_of_order on post_rows (order_id);

create table reconcile_due (
  order_id  text primary key,
  seller    text not null,
  marked_at timestamptz not null default now()
);
create index reconcile_due_of_seller on reconcile_due (seller, marked_at);
insert into reconcile_due (order_id, seller) select order_id, seller from booked_orders;

create temporary table moved on commit drop as
select p.seller, p.file, p.row, p.registration, p.revision, coalesce(p.order_id, b.order_id) as order_id, e.*,
  case when e.clock = 'calendar' and e.air_time < '06:00' then e.air_date - 1 else e.air_date end as broadcast_date
from delivery_posts p cross join lateral json_to_record(p.body) as e (
    record_type text, seller_order_id text, network text, air_date date, air_time text, clock text, spot_length integer, isci text, unit_id text,
    makegood_for_unit_id text, makegood_for_date date, status text, reason text, log_id text, invoice_number text, invoice_date date,
    broadcast_month text, run_code text, rate numeric, invoice_gross numeric, invoice_commission numeric, invoice_net numeric,
    invoice_spot_count integer, audience_code text, stream text, impressions numeric, final boolean
  )
  left join booked_orders b on b.seller = p.seller and b.seller_order_id = e.seller_order_id
where coalesce(p.order_id, b.order_id) is not null;
`

const AIRED = `seller, order_id, network, broadcast_date, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date`
const MOVES = [
  `insert into as_run_days select distinct on (seller, network, broadcast_date, coalesce(log_id, ''))
     seller, network, broadcast_date, coalesce(log_id, ''), revision, registration, file
   from moved where record_type = 'as_run' order by seller, network, broadcast_date, coalesce(log_id, ''), revision desc, registration desc`,
  `insert into as_run_rows (${AIRED}, ran, registration, file, row, log_id, status, reason)
   select ${AIRED}, status ~* '^(aired|joined in progress)', registration, file, row, coalesce(log_id, ''), status, reason
   from moved where record_type = 'as_run' on conflict do nothing`,
  `insert into seller_invoices select distinct on (seller, invoice_number) seller, invoice_number, invoice_date, broadcast_month, invoice_gross,
     invoice_commission, invoice_net, invoice_spot_count, revision, registration, file
   from moved where record_type = 'invoice' order by seller, invoice_number, revision desc, registration desc`,
  `insert into billed_rows (${AIRED}, ran, registration, file, row, invoice_number, broadcast_month, rate)
   select ${AIRED}, run_code = 'Y', registration, file, row, invoice_number, broadcast_month, rate
   from moved where record_type = 'invoice' on conflict do nothing`,
  `insert into post_rows select distinct on (seller, unit_id, air_date, audience_code, stream) seller, order_id, unit_id, network, air_date,
     audience_code, stream, impressions, final, revision, registration, file, row
   from moved where record_type = 'post' order by seller, unit_id, air_date, audience_code, stream, revision desc, registration desc, row desc`,
  'drop table moved',
]
