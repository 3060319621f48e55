import { type Kysely, sql } from 'kysely'

/** Uploads that an order references are pinned, and lapse never. What has lapsed or was rejected may have an object that is to be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table uploads add column pinned boolean not null default false;
update uploads set pinned = true where upload_id in (select upload_id from order_uploads);

drop index uploads_to_lapse;
create index uploads_to_lapse on uploads (expires_at) where status in ('pending', 'receiving', 'uploaded') and not pinned;

-- claimed_at is taken away when the object is gone, and when a claim is given back
create index uploads_to_clear on uploads (upload_id) where status in ('rejected', 'expired') and claimed_at is not null;
`)
    .execute(db)
}
