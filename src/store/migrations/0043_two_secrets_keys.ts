import { type Kysely, sql } from 'kysely'

/** Two keys of secrets at once, while everything is encrypted under the newer one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table secrets_key drop constraint secrets_key_pkey;
alter table secrets_key drop column one;
alter table secrets_key add primary key (fingerprint);
`)
    .execute(db)
}
