import { type Kysely, sql } from 'kysely'

/** An order and everything that revises it, or a revision of it, are one family, named by its first order: of them at most one remains placed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table orders add column root text;

with recursive family as (
  select o.order_id, o.supersedes as root from orders o join orders prior on prior.order_id = o.supersedes where prior.supersedes is null
  union all
  select o.order_id, family.root from family join orders o on o.supersedes = family.order_id
)
update orders set root = family.root from family where orders.order_id = family.order_id;

create index orders_of_root on orders (root) where root is not null;
`)
    .execute(db)
}
