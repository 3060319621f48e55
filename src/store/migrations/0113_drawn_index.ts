import { type Kysely, sql } from 'kysely'

/**
 * The index of what orders draw has the parties as well: the policies of the table ask for them, and without them a sum in the name of a tenant reads
 * each order itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop index orders_drawn;
create index orders_drawn on orders (agreement_id, root) include (drawn, status, seller, buyer_entity) where drawn <> 0;
`)
    .execute(db)
}
