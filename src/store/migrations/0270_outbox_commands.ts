import { type Kysely, sql } from 'kysely'

/** The command that left a row, which the history of the order's run shows by its name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table outbox add column command jsonb').execute(db)
}
