import { type Kysely, sql } from 'kysely'

/** In answer to which order a quote commit was published: there is none without an order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table rate_commits add column order_id text,
  add constraint rate_commits_quote check ((order_id is null) = (visible_to is null));
`)
    .execute(db)
}
