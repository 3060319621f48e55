import { type Kysely, sql } from 'kysely'

/**
 * Who works on the database, and the signed settings that say for which tenants a transaction acts.
 *
 * Neither role owns anything. `marketplace_app` works in the name of tenants and is held to the policies of the tables. `marketplace_platform` does what
 * is for every tenant (relay, sweeps, deliveries, the command line): it may all that the other may, and the policies let it pass. Records are
 * append-only for everybody: triggers refuse update, delete and truncate to the owner as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [ROLES, APPEND_ONLY, KEYS, SIGHT]) await sql.raw(statement).execute(db)
}

const ROLES = `
-- Asked for before it is done: a user who may neither make nor grant roles can be given both beforehand. Roles belong to the cluster: another database
-- may make them at the same time.
do $$ begin
  if not exists (select from pg_roles where rolname = 'marketplace_app') then
    create role marketplace_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'marketplace_platform') then
    create role marketplace_platform nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  -- Who makes a role may administer it, and from PostgreSQL 16 on not yet take it.
  if not pg_has_role('marketplace_app', 'usage') then
    grant marketplace_app to current_user;
  end if;
  if not pg_has_role('marketplace_platform', 'marketplace_app', 'member') then
    grant marketplace_app to marketplace_platform;
  end if;
  if not pg_has_role('marketplace_platform', 'usage') then
    grant marketplace_platform to current_user;
  end if;
end $$;

grant usage on schema public to marketplace_app;
grant select on kysely_migration to marketplace_app; -- every process checks at its start that the database has the migrations that it needs
`

const APPEND_ONLY = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;
`

const KEYS = `
-- Secrets of the installation itself: cursors signed by one process are read by another, and outlive restarts. Return paths of mails are signed too.
create table platform_keys (name text primary key, value bytea not null);
insert into platform_keys values ('cursor', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
insert into platform_keys values ('bounce', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
grant select on platform_keys to marketplace_app;

-- The keys that sign for whom a transaction acts, as the two blocks of an HMAC. No role of the processes can read one whole.
create table scope_keys (
  inner_pad   bytea primary key,
  outer_pad   bytea not null,
  admitted_at timestamptz not null default now()
);
grant insert, delete, select (inner_pad, admitted_at), update (admitted_at) on scope_keys to marketplace_platform;

-- Any process may admit the first key; only the platform may admit another.
create function admit_scope_key(inner_pad bytea, outer_pad bytea) returns boolean language plpgsql security definer set search_path = pg_catalog as $$
begin
  lock table public.scope_keys in share row exclusive mode;
  if not exists (select from public.scope_keys) then
    insert into public.scope_keys values (admit_scope_key.inner_pad, admit_scope_key.outer_pad);
  end if;
  return exists (select from public.scope_keys k where k.inner_pad = admit_scope_key.inner_pad);
end $$;
revoke execute on function admit_scope_key from public;
grant execute on function admit_scope_key to marketplace_app;
`

/**
 * Settings, local to a transaction, say for whom it acts, with whom it deals, and which orders it creates. Anybody could set them, so they are signed.
 * Names are qualified instead of a search_path set on the functions: setting one would cost more than the functions do.
 */
const SIGHT = `
-- A setting is 64 hex digits, the HMAC, and then the tenants as an array: nothing else is anybody's. To deal with a null is to deal with everybody.
create function sight_in(setting text, member text) returns text[] language plpgsql stable security definer as $$
begin
  if setting is null or setting = '' then
    return '{}';
  end if;
  if exists (select from public.scope_keys k where pg_catalog.encode(pg_catalog.sha256(k.outer_pad operator(pg_catalog.||)
        pg_catalog.sha256(k.inner_pad operator(pg_catalog.||) pg_catalog.convert_to(member operator(pg_catalog.||) pg_catalog.substr(setting, 65), 'UTF8'))), 'hex')
      operator(pg_catalog.=) pg_catalog.left(setting, 64)) then
    return pg_catalog.substr(setting, 65)::pg_catalog.text[];
  end if;
  raise exception 'this scope is not signed by the service' using errcode = 'insufficient_privilege';
end $$;

create function acting_tenants() returns text[] language sql stable as
  $$ select public.sight_in(pg_catalog.current_setting('marketplace.acting', true), 'acting:') $$;
create function dealt_tenants() returns text[] language sql stable as
  $$ select public.sight_in(pg_catalog.current_setting('marketplace.dealing', true), 'dealing:') $$;
-- What a create writes about its orders is checked against this list, not by a search for each row. It is signed together with the acting tenants.
create function creating_orders() returns text[] language sql stable as $$
  select case when pg_catalog.current_setting('marketplace.creating', true) operator(pg_catalog.<>) '' then
    public.sight_in(pg_catalog.current_setting('marketplace.creating', true),
      'creating:' operator(pg_catalog.||) pg_catalog.left(pg_catalog.current_setting('marketplace.acting', true), 64) operator(pg_catalog.||) ':') end
$$;
`
