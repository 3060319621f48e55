import { type Kysely, sql } from 'kysely'

/** The public keys with which sellers sign in to the SFTP server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, POLICIES, FIND, VIA]) await sql.raw(statement).execute(db)
}

const TABLE = `
create table sftp_keys (
  key_id     text primary key,
  seller     text not null references sellers,
  algorithm  text not null,
  public_key bytea not null, -- as on the wire (RFC 4253, 6.6)
  comment    text not null,
  added_at   timestamptz not null default now(),
  revoked_at timestamptz
);
create unique index sftp_keys_in_force on sftp_keys (seller, public_key) where revoked_at is null;
grant select on sftp_keys to marketplace_app;
grant select, insert, update on sftp_keys to marketplace_platform;
`

const POLICIES = `
alter table sftp_keys enable row level security;
create policy platform on sftp_keys to marketplace_platform using (true) with check (true);
create policy tenant_select on sftp_keys for select to marketplace_app using (seller = any((select acting_tenants())::text[]));
`

const FIND = `
-- As find_credential (0060): who signs in is known by its key before it is known whose rows it may see. A key in force is preferred to one that was revoked.
create function find_sftp_key(seller text, public_key bytea) returns table (key_id text, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select k.key_id, k.revoked_at is not null from public.sftp_keys k
  where k.seller = find_sftp_key.seller and k.public_key = find_sftp_key.public_key
  order by k.revoked_at desc nulls first limit 1
$$;
revoke execute on function find_sftp_key from public;
grant execute on function find_sftp_key to marketplace_app;
`

const VIA = `
alter table security_events drop constraint security_events_via_check,
  add constraint security_events_via_check check (via in ('api', 'sftp', 'command_line', 'platform'));
`
