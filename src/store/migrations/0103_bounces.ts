import { type Kysely, sql } from 'kysely'

/** What the bounce process needs: the key of return paths, and the one change that it may make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [KEY, BOUNCE]) await sql.raw(statement).execute(db)
}

const KEY = `
insert into platform_keys values ('bounce', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
`

const BOUNCE = `
-- As find_sftp_key (0094): whoever returns a mail acts for no tenant.
create function bounce_edi_message(id text, code text) returns text
  language sql volatile security definer set search_path = pg_catalog as $$
  with bounced as (
    update public.edi_messages set status = 'bounced', status_reason = bounce_edi_message.code, bounced_at = now()
    where message_id = bounce_edi_message.id and status = 'sent' returning status
  )
  select coalesce((select status from bounced), (select status from public.edi_messages where message_id = bounce_edi_message.id))
$$;
revoke execute on function bounce_edi_message from public;
grant execute on function bounce_edi_message to marketplace_app, marketplace_platform;
`
