import { type Kysely, sql } from 'kysely'

/** The notice of a makegood as a file, which its seller has uploaded (choices, Makegoods: file). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table makegoods add column notice_file text references uploads').execute(db)
}
