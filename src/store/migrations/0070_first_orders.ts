import { type Kysely, sql } from 'kysely'

/** The first order of a family names itself as its root, so that what places it sees that it has a family. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('update orders set root = order_id where order_id in (select distinct root from orders)').execute(db)
}
