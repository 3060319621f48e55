import { type Kysely, sql } from 'kysely'

/**
 * People and programs of an OpenID Connect issuer, as they act for a tenant: a row for each that was ever seen, so that the operator can revoke it, the
 * audit log can name it, and what it sets up has an authority. Sessions may be on the authority of one instead of a credential; its token says
 * with which scopes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, FUNCTIONS, SESSIONS, FIND_SESSION]) await sql.raw(statement).execute(db)
}

const TABLE = `
create table subjects (
  subject_id text primary key,
  entity     text not null references tenants,
  issuer     text not null,
  subject    text not null,
  seen_at    timestamptz not null default now(), -- when it was first seen
  revoked_at timestamptz,
  unique (entity, issuer, subject)
);
alter table subjects enable row level security;
create policy platform on subjects to marketplace_platform using (true) with check (true);
create policy tenant_select on subjects for select to marketplace_app using (entity = any((select acting_tenants())::text[]));
create policy tenant_insert on subjects for insert to marketplace_app with check (entity = any((select acting_tenants())::text[]));
grant select, insert on subjects to marketplace_app;
grant update on subjects to marketplace_platform;
`

const FUNCTIONS = `
-- As find_credential (0060): no row if there is no such tenant, a row without subject_id if the subject was never seen.
create function find_subject(entity text, issuer text, subject text) returns table (subject_id text, side text, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select s.subject_id, t.side, s.revoked_at is not null
  from public.tenants t
  left join public.subjects s on s.entity = t.entity and s.issuer = find_subject.issuer and s.subject = find_subject.subject
  where t.entity = find_subject.entity
$$;
-- What the operator allows by OIDC_CREATE_TENANTS. A tenant of that name is left as it is.
create function create_tenant(entity text, side text, profile jsonb) returns void
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  insert into public.tenants (entity, side, name) values (create_tenant.entity, create_tenant.side, create_tenant.entity) on conflict do nothing;
  if create_tenant.side = 'seller' and found then
    insert into public.sellers (seller, profile) values (create_tenant.entity, create_tenant.profile);
  end if;
end $$;
revoke execute on function find_subject, create_tenant from public;
grant execute on function find_subject, create_tenant to marketplace_app;
`

const OWN_AUTHORITY = `(exists (select from credentials c where c.credential_id = sessions.credential_id offset 0)
  or exists (select from subjects s where s.subject_id = sessions.subject_id offset 0))`

const SESSIONS = `
alter table sessions alter column credential_id drop not null,
  add column subject_id text references subjects,
  add column scopes text[], -- of the token with which a subject signed in
  add constraint sessions_of_one check (num_nonnulls(credential_id, subject_id) = 1 and (subject_id is null) = (scopes is null));
create index sessions_of_subject on sessions (subject_id, opened_at) where subject_id is not null;
alter policy tenant_select on sessions using (${OWN_AUTHORITY});
alter policy tenant_insert on sessions with check (${OWN_AUTHORITY});
alter policy tenant_delete on sessions using (${OWN_AUTHORITY});
`

const FIND_SESSION = `
-- As before (0131), for sessions of subjects too: those have the id of the subject for a credential's.
create or replace function find_session(sha256 bytea)
  returns table (credential_id text, entity text, side text, scopes text[], expires_at timestamptz, revoked boolean, person text, until timestamptz)
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  update public.sessions s set used_at = now()
    where s.session_sha256 = find_session.sha256 and s.used_at < now() - interval '1 minute' and least(s.ends_at, s.used_at + interval '8 hours') > now();
  return query select c.credential_id, c.entity, c.side, c.scopes, c.expires_at, c.revoked_at is not null, s.person,
    least(s.ends_at, s.used_at + interval '8 hours')
    from public.sessions s join public.credentials c using (credential_id) where s.session_sha256 = find_session.sha256
  union all select u.subject_id, u.entity, t.side, s.scopes, null::timestamptz, u.revoked_at is not null, s.person,
    least(s.ends_at, s.used_at + interval '8 hours')
    from public.sessions s join public.subjects u using (subject_id) join public.tenants t on t.entity = u.entity where s.session_sha256 = find_session.sha256;
end $$;
`
