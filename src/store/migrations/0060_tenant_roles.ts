import { type Kysely, sql } from 'kysely'

/**
 * Two roles instead of one. `marketplace_app` works in the name of tenants: it is held to the policies of the tables (migration 0061).
 * `marketplace_platform` does what is for every tenant (relay, sweeps, deliveries, the command line); it may all that the other may, and the
 * policies let it pass.
 *
 * Two settings, local to a transaction, say for whom it acts. Anybody could set them, so they are signed: `acting_tenants()` and
 * `dealt_tenants()` believe what carries the HMAC of a key in `sight_keys`, which neither role can read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [ROLE, KEYS, SIGHT, CREDENTIAL]) await sql.raw(statement).execute(db)
}

const ROLE = `
-- As in 0001: asked for before it is done, for a user who may neither make nor grant roles.
do $$ begin
  if not exists (select from pg_roles where rolname = 'marketplace_platform') then
    create role marketplace_platform nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not pg_has_role('marketplace_platform', 'marketplace_app', 'member') then
    grant marketplace_app to marketplace_platform;
  end if;
  if not pg_has_role('marketplace_platform', 'usage') then
    grant marketplace_platform to current_user; -- who makes a role may administer it, and from PostgreSQL 16 on not yet take it
  end if;
end $$;
`

const KEYS = `
create table sight_keys (
  inner_pad   bytea primary key,
  outer_pad   bytea not null,
  admitted_at timestamptz not null default now()
);
grant insert, delete, select (inner_pad, admitted_at), update (admitted_at) on sight_keys to marketplace_platform;

-- Any process may admit the first key; only the platform may admit another.
create function admit_sight_key(inner_pad bytea, outer_pad bytea) returns boolean language plpgsql security definer set search_path = pg_catalog as $$
begin
  lock table public.sight_keys in share row exclusive mode;
  if not exists (select from public.sight_keys) then
    insert into public.sight_keys values (admit_sight_key.inner_pad, admit_sight_key.outer_pad);
  end if;
  return exists (select from public.sight_keys k where k.inner_pad = admit_sight_key.inner_pad);
end $$;
revoke execute on function admit_sight_key from public;
grant execute on function admit_sight_key to marketplace_app;
`

// Names are qualified instead of a search_path set on the functions: setting one would cost more than the functions do.
const SIGHT = `
-- A setting is 64 hex digits, the HMAC, and then the tenants as an array: nothing else is anybody's. To deal with a null is to deal with everybody.
create function sight_in(setting text, member text) returns text[] language plpgsql stable security definer as $$
begin
  if setting is null or setting = '' then
    return '{}';
  end if;
  if exists (select from public.sight_keys k where pg_catalog.encode(pg_catalog.sha256(k.outer_pad operator(pg_catalog.||)
        pg_catalog.sha256(k.inner_pad operator(pg_catalog.||) pg_catalog.convert_to(member operator(pg_catalog.||) pg_catalog.substr(setting, 65), 'UTF8'))), 'hex')
      operator(pg_catalog.=) pg_catalog.left(setting, 64)) then
    return pg_catalog.substr(setting, 65)::pg_catalog.text[];
  end if;
  raise exception 'this sight is not signed by the service' using errcode = 'insufficient_privilege';
end $$;

create function acting_tenants() returns text[] language sql stable as
  $$ select public.sight_in(pg_catalog.current_setting('marketplace.acting', true), 'acting:') $$;
create function dealt_tenants() returns text[] language sql stable as
  $$ select public.sight_in(pg_catalog.current_setting('marketplace.dealing', true), 'dealing:') $$;
`

const CREDENTIAL = `
-- Who asks is known by its token before it is known whose rows it may see: this is the one way to a credential for a role that is held to policies.
create function find_credential(sha256 bytea)
  returns table (credential_id text, entity text, side text, gate text, scopes text[], expires_at timestamptz, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select c.credential_id, c.entity, c.side, c.gate, c.scopes, c.expires_at, c.revoked_at is not null
  from public.credentials c where c.token_sha256 = find_credential.sha256
$$;
revoke execute on function find_credential from public;
grant execute on function find_credential to marketplace_app;
`
