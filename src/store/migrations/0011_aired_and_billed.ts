import { type Kysely, sql } from 'kysely'
import { rowSecurity } from './policies.ts'

/**
 * What placed orders book, spot by spot, and what sellers send of what aired and what they bill: rows of logs, of invoices and of audience posts, each
 * kept once (choices, Reconciliation). The platform alone writes and reads them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [BOOKED, LOGS, BILLS, POSTS, REFUSED]) await sql.raw(statement).execute(db)
}

/** Without a policy for tenants: they see what is computed of the rows. */
const platformOnly = (table: string, rights: string) => `
${rowSecurity(table)}
grant select on ${table} to marketplace_app;
grant ${rights} on ${table} to marketplace_platform;`

const BOOKED = `
-- Rebuilt from the log of the order at any time, but for the windows, which stay as they were when the order was booked first.
create table booked_orders (
  order_id          text primary key,
  seller            text not null references sellers,
  buyer_entity      text not null,
  external_order_id text not null,
  seller_order_id   text,
  agreement_id      text,
  currency          text not null,
  booked_seq        integer, -- the last event of the order when its spots were written; null before
  guarantees        json not null default '[]', -- impressions per unit by line, with the stream that they are posted by
  -- From which date on a canceled order books nothing, in the time zone of its products. Rows whose reference several orders of a family share go to the
  -- one that is in force on their date.
  ends_on           date
);
create index booked_orders_by_seller_order_id on booked_orders (seller, seller_order_id) where seller_order_id is not null;
create index booked_orders_by_external_order_id on booked_orders (seller, external_order_id);
create index booked_orders_of_agreement on booked_orders (agreement_id, order_id) where agreement_id is not null;
${platformOnly('booked_orders', 'insert, update, delete')}

create table booked_spots (
  order_id    text not null references booked_orders on delete cascade,
  unit_id     text not null,
  air_date    date not null,
  kind        text not null check (kind in ('spot', 'mirror')),
  seller      text not null,
  network     text not null,
  product_id  text not null,
  units       integer not null check (units >= 0), -- 0 of dates that a cancellation took away
  spot_length integer not null,
  windows     json not null,
  isci        json not null,
  price       numeric not null,
  gross       numeric not null,
  primary key (order_id, unit_id, air_date, kind)
);
create index booked_spots_of_day on booked_spots (seller, network, air_date) include (order_id);
${platformOnly('booked_spots', 'insert, update, delete')}

-- By copy, for rows of a log that name no order.
create table booked_copies (
  seller   text not null,
  network  text not null,
  isci     text not null,
  air_date date not null,
  order_id text not null references booked_orders on delete cascade,
  primary key (seller, network, isci, air_date, order_id)
);
create index booked_copies_of_order on booked_copies (order_id);
${platformOnly('booked_copies', 'insert, update, delete')}
`

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
const LOGGED = `${AIRING},
  log_id text not null,
  status text not null,
  reason text`
const BILLED = `${AIRING},
  invoice_number  text not null,
  broadcast_month text not null,
  rate            numeric not null`

/** Said besides: the seller's number of the line, whether the spot is a bonus, and the spots that it makes good. */
const NOTED = 'noted jsonb'

/**
 * Rows that a later slice of their file may bring back, since the highest revision in the file decides on all of them, and rows that a drop has replaced,
 * until it ends: rows that are refused leave earlier ones in place.
 */
const aside = (table: string, columns: string, wholeKey: string) => `
create table ${table}_aside (${columns},
  replaced_in bigint, -- the registration of the drop that has replaced the row; null for a row that the drop in progress has set aside of its own
  ${NOTED},
  primary key (seller, registration, file, row)
);
create index ${table}_aside_replaced on ${table}_aside (seller, replaced_in, ${wholeKey}) where replaced_in is not null;
${platformOnly(`${table}_aside`, 'insert, delete')}`

const LOGS = `
-- A day of a network's log: what is sent again replaces it whole. '' is the log without an id.
create table as_run_days (
  seller         text not null references sellers,
  network        text not null,
  broadcast_date date not null,
  log_id         text not null,
  revision       bigint not null,${SENT},
  primary key (seller, network, broadcast_date, log_id)
);
${platformOnly('as_run_days', 'insert, update, delete')}

create table as_run_rows (${LOGGED},
  ${NOTED},
  primary key (registration, file, row)
);
create index as_run_rows_of_order on as_run_rows (order_id);
create index as_run_rows_of_day on as_run_rows (seller, network, broadcast_date, log_id);
${platformOnly('as_run_rows', 'insert, update, delete')}
${aside('as_run_rows', LOGGED, 'network, broadcast_date, log_id')}

-- The days of a log that do not say of each spot of an order whether it aired. While that log is in force (as_run_days), a spot that it leaves out is not
-- missed.
create table as_run_undecided (
  seller         text not null references sellers,
  network        text not null,
  broadcast_date date not null,
  log_id         text not null,
  order_id       text not null,
  registration   bigint not null, -- of the log
  primary key (seller, network, broadcast_date, log_id, order_id, registration)
);
create index as_run_undecided_of_order on as_run_undecided (order_id);
${platformOnly('as_run_undecided', 'insert, update, delete')}
`

const BILLS = `
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
${platformOnly('seller_invoices', 'insert, update, delete')}

create table billed_rows (${BILLED},
  ${NOTED},
  primary key (registration, file, row)
);
create index billed_rows_of_order on billed_rows (order_id);
create index billed_rows_of_invoice on billed_rows (seller, invoice_number);
${platformOnly('billed_rows', 'insert, update, delete')}
${aside('billed_rows', BILLED, 'invoice_number')}
`

const POSTS = `
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
${platformOnly('post_rows', 'insert, update, delete')}
`

const REFUSED = `
-- What could be read of the refused rows of an open drop.
create table refused_posts (
  seller         text not null references sellers,
  registration   bigint not null,
  file           text not null,
  row            bigint not null, -- 0: some row of the file of which nothing could be read, or the whole file
  record_type    text,
  network        text,
  broadcast_date date,
  log_id         text,
  invoice_number text,
  air_date       date,
  air_time       text,
  isci           text,
  primary key (seller, registration, file, row)
);
${platformOnly('refused_posts', 'insert, delete')}
`
