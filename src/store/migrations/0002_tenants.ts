import { type Kysely, sql } from 'kysely'
import { appendOnly, dealt, own, rowSecurity, whole } from './policies.ts'

/** Tenants with their credentials, subjects and sessions, the audit log of security acts, and secrets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TENANTS, SUBJECTS, SESSIONS, AUDIT, SECRETS]) await sql.raw(statement).execute(db)
}

const TENANTS = `
create table tenants (
  entity      text primary key,
  side        text not null check (side in ('buyer', 'seller', 'operator')),
  name        text not null,
  created_at  timestamptz not null default now()
);
-- Who is on the market: sellers are listed to every buyer.
${rowSecurity('tenants', { select: `side = 'seller' or ${dealt('entity')}`, update: own('entity') })}
grant select, insert, update on tenants to marketplace_app;

create table credentials (
  credential_id text primary key,
  entity        text not null references tenants,
  side          text not null check (side in ('buyer', 'seller', 'operator')),
  token_sha256  bytea not null unique,
  last_four     text not null,
  scopes        text[] not null,
  gate          text not null default 'api' check (gate in ('api', 'console')),
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz
);
create index credentials_by_entity on credentials (entity);
${rowSecurity('credentials', { select: own('entity') })}
grant select, insert, update on credentials to marketplace_app;

-- Who asks is known by its token before it is known whose rows it may see: this is the one way to a credential for a role that is held to policies.
create function find_credential(sha256 bytea)
  returns table (credential_id text, entity text, side text, gate text, scopes text[], expires_at timestamptz, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select c.credential_id, c.entity, c.side, c.gate, c.scopes, c.expires_at, c.revoked_at is not null
  from public.credentials c where c.token_sha256 = find_credential.sha256
$$;
revoke execute on function find_credential from public;
grant execute on function find_credential to marketplace_app;

create function operator_acts() returns boolean language sql stable security definer set search_path = pg_catalog as $$
  select exists (select from public.tenants t where t.side = 'operator' and t.entity = any(public.acting_tenants()))
$$;
revoke execute on function operator_acts from public;
grant execute on function operator_acts to marketplace_app;
`

const SUBJECTS = `
-- People and programs of an OpenID Connect issuer, as they act for a tenant: a row for each that was ever seen, so that the operator can revoke it, the
-- audit log can name it, and what it sets up has an authority.
create table subjects (
  subject_id text primary key,
  entity     text not null references tenants,
  issuer     text not null,
  subject    text not null,
  seen_at    timestamptz not null default now(), -- when it was first seen
  revoked_at timestamptz,
  unique (entity, issuer, subject)
);
${rowSecurity('subjects', { select: own('entity'), insert: own('entity') })}
grant select, insert on subjects to marketplace_app;
grant update on subjects to marketplace_platform;

-- As find_credential: no row if there is no such tenant, a row without subject_id if the subject was never seen.
create function find_subject(entity text, issuer text, subject text) returns table (subject_id text, side text, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select s.subject_id, t.side, s.revoked_at is not null
  from public.tenants t
  left join public.subjects s on s.entity = t.entity and s.issuer = find_subject.issuer and s.subject = find_subject.subject
  where t.entity = find_subject.entity
$$;
-- What the operator allows by OIDC_CREATE_TENANTS. A tenant of that name is left as it is. No token of an issuer makes a tenant of operators.
create function create_tenant(entity text, side text, profile jsonb) returns void
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  if create_tenant.side not in ('buyer', 'seller') then
    raise exception 'a tenant of an issuer is a buyer or a seller';
  end if;
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
-- Sessions of people in a browser, each on the authority of a credential or a subject, with which it ends. A session is looked up and ended by the hash of
-- its secret, before it is known whose rows may be seen; it is opened in the name of the tenant.
create table sessions (
  session_sha256 bytea primary key,
  credential_id  text references credentials,
  person         text not null,
  opened_at      timestamptz not null default now(),
  used_at        timestamptz not null default now(),
  ends_at        timestamptz not null,
  subject_id     text references subjects,
  scopes         text[], -- of the token with which a subject signed in
  constraint sessions_of_one check (num_nonnulls(credential_id, subject_id) = 1 and (subject_id is null) = (scopes is null))
);
create index sessions_of_credential on sessions (credential_id, opened_at);
create index sessions_of_subject on sessions (subject_id, opened_at) where subject_id is not null;
${rowSecurity('sessions', { select: OWN_AUTHORITY, insert: OWN_AUTHORITY, delete: OWN_AUTHORITY })}
grant select, insert, delete on sessions to marketplace_app;

-- The session of a secret, over or not; those of subjects have the id of the subject for a credential's. The look counts as use, written once a minute at
-- most.
create function find_session(sha256 bytea)
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
create function end_session(sha256 bytea) returns void language sql volatile security definer set search_path = pg_catalog as
  $$ delete from public.sessions s where s.session_sha256 = end_session.sha256 $$;
revoke execute on function find_session, end_session from public;
grant execute on function find_session, end_session to marketplace_app;
`

const AUDIT = `
-- The audit log of security acts: who did what to whom may do what, from where, and with which credential somebody was refused.
create table security_events (
  event_id      text primary key,
  entity        text not null,
  side          text not null check (side in ('buyer', 'seller', 'operator')),
  occurred_at   timestamptz not null default now(),
  action        text not null,
  via           text not null check (via in ('api', 'console', 'sftp', 'command_line', 'platform')),
  credential_id text, -- null where no credential acted
  source_ip     text,
  target        text,
  before        json, -- the members that differ, never a secret
  after         json,
  times         integer not null default 1 check (times > 0),
  person        text -- who acted in a session
);
create index security_events_of_tenant on security_events (entity, event_id);
-- How much a tenant has done in a day is bounded: this finds the oldest of so many acts.
create index security_acts_of_tenant on security_events (entity, event_id) where via in ('api', 'console') and action <> 'sign_in.refused';
${appendOnly('security_events')}
${rowSecurity('security_events', { select: own('entity'), insert: own('entity') })}
grant select, insert on security_events to marketplace_app;
`

const SECRETS = `
-- Secrets of tenants, encrypted before they come here. The key is not in the database; its fingerprint says whether one is the right one. There are two
-- while everything is encrypted under the newer one.
create table secrets_key (
  fingerprint bytea primary key
);
grant select, insert on secrets_key to marketplace_app;

create table tenant_secrets (
  tenant     text not null references tenants,
  name       text not null,
  sealed     bytea not null,
  updated_at timestamptz not null default now(),
  primary key (tenant, name)
);
${rowSecurity('tenant_secrets', { ...whole(own('tenant')), select: dealt('tenant') })}
grant select, insert, update on tenant_secrets to marketplace_app;
`
