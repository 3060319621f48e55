import { type Kysely, sql } from 'kysely'

/** While the engine is away, workers claim what endpoints are to be sent, and that alone: many rows of other kinds may wait before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create index outbox_of_endpoint on outbox (claimable_at, outbox_id) where kind = 'endpoint'`).execute(db)
}
