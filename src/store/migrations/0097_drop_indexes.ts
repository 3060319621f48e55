import { type Kysely, sql } from 'kysely'

/** Old files and a seller's drops of one status are found without reading all; the errors of an ended run are in its result alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(INDEXES).execute(db)
}

const INDEXES = `
create index drop_files_old on drop_files (landed_at);
create index landed_manifests_old on landed_manifests (first_seen_at);
create index drops_by_status on drops (seller, status, registration);
delete from drop_errors e using drops d where d.seller = e.seller and d.drop_id = e.drop_id and d.run_no = e.run_no and d.ended_at is not null;
`
