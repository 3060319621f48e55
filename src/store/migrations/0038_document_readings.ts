import { type Kysely, sql } from 'kysely'

/** What a document was read to say, kept beside its upload: many orders may name one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table document_readings (
  upload_id text not null references uploads on delete cascade,
  -- of the reader; another may read the same file differently
  reader    integer not null,
  -- the date from which dates without a year were counted; empty when the document has none
  anchor    text not null,
  reading   json not null,
  read_at   timestamptz not null default now(),
  primary key (upload_id, reader, anchor)
);
create index document_readings_age on document_readings (read_at);

grant select, insert, delete on document_readings to marketplace_app;
`)
    .execute(db)
}
