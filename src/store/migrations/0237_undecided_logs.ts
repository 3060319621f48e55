import { type Kysely, sql } from 'kysely'

/**
 * The days of a log that do not say of each spot of an order whether it aired, by the registration of the log. While that log is in force
 * (`as_run_days`), a spot that it leaves out is not missed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
}

const TABLE = `
create table as_run_undecided (
  seller         text not null references sellers,
  network        text not null,
  broadcast_date date not null,
  log_id         text not null,
  order_id       text not null,
  registration   bigint not null,
  primary key (seller, network, broadcast_date, log_id, order_id, registration)
);
create index as_run_undecided_of_order on as_run_undecided (order_id);
alter table as_run_undecided enable row level security;
create policy platform on as_run_undecided to marketplace_platform using (true) with check (true);
grant select on as_run_undecided to marketplace_app;
grant insert, update, delete on as_run_undecided to marketplace_platform;
`
