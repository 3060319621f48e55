import { type Kysely, sql } from 'kysely'

/** Rows of a log or an invoice that a later slice of their file may bring back: the highest revision in the file decides on all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['as_run_rows', 'billed_rows']) {
    const aside = `${table}_aside`
    const statements = [
      `create table ${aside} (like ${table}, primary key (seller, registration, file, row))`,
      `alter table ${aside} enable row level security`,
      `create policy platform on ${aside} to marketplace_platform using (true) with check (true)`,
      `grant select on ${aside} to marketplace_app`,
      `grant insert, delete on ${aside} to marketplace_platform`,
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}
