import { type Kysely, sql } from 'kysely'

/**
 * Sessions of people in a browser, each on the authority of a credential, with which it ends. A session is looked up and ended by the hash of its
 * secret, before it is known whose rows may be seen; it is opened in the name of the credential's tenant. The audit log names the person who acted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, FUNCTIONS, AUDIT]) await sql.raw(statement).execute(db)
}

const OWN_CREDENTIAL = `exists (select from credentials c where c.credential_id = sessions.credential_id offset 0)`

const TABLE = `
create table sessions (
  session_sha256 bytea primary key,
  credential_id  text not null references credentials,
  person         text not null,
  opened_at      timestamptz not null default now(),
  used_at        timestamptz not null default now(),
  ends_at        timestamptz not null
);
create index sessions_of_credential on sessions (credential_id, opened_at);
alter table sessions enable row level security;
create policy platform on sessions to marketplace_platform using (true) with check (true);
create policy tenant_select on sessions for select to marketplace_app using (${OWN_CREDENTIAL});
create policy tenant_insert on sessions for insert to marketplace_app with check (${OWN_CREDENTIAL});
create policy tenant_delete on sessions for delete to marketplace_app using (${OWN_CREDENTIAL});
grant select, insert, delete on sessions to marketplace_app;
`

const FUNCTIONS = `
-- The session of a secret, over or not. The look counts as use, written once a minute at most.
create function find_session(sha256 bytea)
  returns table (credential_id text, entity text, side text, scopes text[], expires_at timestamptz, revoked boolean, person text, until timestamptz)
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  update public.sessions s set used_at = now()
    where s.session_sha256 = find_session.sha256 and s.used_at < now() - interval '1 minute' and least(s.ends_at, s.used_at + interval '8 hours') > now();
  return query select c.credential_id, c.entity, c.side, c.scopes, c.expires_at, c.revoked_at is not null, s.person,
    least(s.ends_at, s.used_at + interval '8 hours')
    from public.sessions s join public.credentials c using (credential_id) where s.session_sha256 = find_session.sha256;
end $$;
create function end_session(sha256 bytea) returns void language sql volatile security definer set search_path = pg_catalog as
  $$ delete from public.sessions s where s.session_sha256 = end_session.sha256 $$;
revoke execute on function find_session, end_session from public;
grant execute on function find_session, end_session to marketplace_app;
`

const AUDIT = `
alter table security_events add column person text,
  drop constraint security_events_via_check,
  add constraint security_events_via_check check (via in ('api', 'console', 'sftp', 'command_line', 'platform'));
drop index security_acts_of_tenant;
create index security_acts_of_tenant on security_events (entity, event_id) where via in ('api', 'console') and action <> 'sign_in.refused';
`
