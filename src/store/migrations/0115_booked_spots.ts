import { type Kysely, sql } from 'kysely'

/**
 * What placed orders book, spot by spot: what sellers' logs and invoices are matched with. Rebuilt from the log at any time, but for the windows, which
 * stay as they were when the order was booked first (choices, Reconciliation: booked spots). Stored orders get a head here; their spots are written when
 * they are asked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLES, HEADS]) await sql.raw(statement).execute(db)
  for (const table of ['booked_orders', 'booked_spots', 'booked_copies']) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      `grant select on ${table} to marketplace_app`,
      `grant insert, update, delete on ${table} to marketplace_platform`,
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}

const TABLES = `
create table booked_orders (
  order_id          text primary key,
  seller            text not null references sellers,
  buyer_entity      text not null,
  external_order_id text not null,
  seller_order_id   text,
  agreement_id      text,
  currency          text not null,
  booked_seq        integer -- the last event of the order when its spots were written; null before
);
create index booked_orders_by_seller_order_id on booked_orders (seller, seller_order_id) where seller_order_id is not null;
create index booked_orders_by_external_order_id on booked_orders (seller, external_order_id);

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
`

const HEADS = `
insert into booked_orders (order_id, seller, buyer_entity, external_order_id, seller_order_id, agreement_id, currency)
select o.order_id, o.seller, o.buyer_entity, o.external_order_id, (
    select artifact->>'seller_order_id' from jsonb_array_elements((snapshot_head || snapshot_lines || '}')::jsonb->'artifacts') as artifact
    where artifact->>'name' = 'placement_receipt' limit 1
  ), o.agreement_id, r.facts::jsonb->>'currency'
from orders o join order_records r using (order_id) where o.placed_at is not null;
`
