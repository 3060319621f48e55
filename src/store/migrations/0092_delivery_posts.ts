import { type Kysely, sql } from 'kysely'

/** What sellers drop of what aired and what they bill: as-run rows, invoice rows, posts of audience (choices, File drops). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await sql.raw('create policy platform on delivery_posts to marketplace_platform using (true) with check (true)').execute(db)
  for (const command of ['select', 'insert', 'update', 'delete']) {
    const clause = command === 'insert' ? 'with check' : 'using'
    await sql.raw(`create policy tenant_${command} on delivery_posts for ${command} to marketplace_app ${clause} (${OWN})`).execute(db)
  }
}

const OWN = 'seller = any((select acting_tenants())::text[])'

const TABLE = `
create table delivery_posts (
  seller       text not null references sellers,
  drop_id      text not null,
  run_no       integer not null,
  file         text not null,
  row          bigint not null,
  registration bigint not null, -- of the drop
  record_type  text not null check (record_type in ('as_run', 'invoice', 'post')),
  identity     text not null, -- rows of one identity replace those of earlier files
  revision     bigint not null,
  order_id     text, -- where the row names one by its id or by an external id that is one order's alone
  body         json not null, -- the row as read
  primary key (seller, drop_id, run_no, file, row),
  foreign key (seller, drop_id, run_no) references drops
);
create index delivery_posts_replaced on delivery_posts (seller, record_type, identity);
create index delivery_posts_of_order on delivery_posts (order_id) where order_id is not null;
alter table delivery_posts enable row level security;
grant select, insert, update, delete on delivery_posts to marketplace_app;
`
