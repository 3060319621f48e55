import { type Kysely, sql } from 'kysely'
import { dealt, rowSecurity } from './policies.ts'

/**
 * What a sandbox has beyond a marketplace: the mark that the database is one, and tenants that it makes on demand. Without the mark no tenant can be
 * made, whatever a process believes to be.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [MARK, TENANTS, MAKE]) await sql.raw(statement).execute(db)
}

const MARK = `
create table sandbox (
  is_one    boolean primary key default true check (is_one),
  marked_at timestamptz not null default now()
);
grant select, insert on sandbox to marketplace_platform;
`

const TENANTS = `
create table fresh_tenants (
  entity     text primary key references tenants,
  side       text not null, -- of the tenant
  made_by    text not null, -- the credential that asked for it
  made_at    timestamptz not null default now(),
  expires_at timestamptz not null
);
create index fresh_tenants_made on fresh_tenants (made_by, made_at);
-- As of tenants: sellers are listed to every buyer.
${rowSecurity('fresh_tenants', { select: `side = 'seller' or ${dealt('entity')}` })}
grant select on fresh_tenants to marketplace_app;
`

const MAKE = `
-- As create_tenant, with a credential. Returns null if this maker has made as many as it may in a day.
create function make_fresh_tenant(entity text, side text, name text, profile jsonb, made_by text, most int, lasts interval,
    credential_id text, token_sha256 bytea, last_four text, scopes text[]) returns timestamptz
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  ends timestamptz := now() + lasts;
begin
  if not exists (select from public.sandbox) then
    raise exception 'this database is not one of a sandbox' using errcode = 'insufficient_privilege';
  end if;
  if make_fresh_tenant.side not in ('buyer', 'seller') then
    raise exception 'a fresh tenant is a buyer or a seller';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('fresh tenants of ' || make_fresh_tenant.made_by, 0));
  if (select count(*) from public.fresh_tenants f where f.made_by = make_fresh_tenant.made_by and f.made_at > now() - interval '1 day') >= most then
    return null;
  end if;
  insert into public.tenants (entity, side, name) values (make_fresh_tenant.entity, make_fresh_tenant.side, make_fresh_tenant.name);
  if make_fresh_tenant.side = 'seller' then
    insert into public.sellers (seller, profile) values (make_fresh_tenant.entity, make_fresh_tenant.profile);
  end if;
  insert into public.fresh_tenants (entity, side, made_by, expires_at)
    values (make_fresh_tenant.entity, make_fresh_tenant.side, make_fresh_tenant.made_by, ends);
  insert into public.credentials (credential_id, entity, side, gate, token_sha256, last_four, scopes, expires_at)
    values (make_fresh_tenant.credential_id, make_fresh_tenant.entity, make_fresh_tenant.side, 'api', make_fresh_tenant.token_sha256,
      make_fresh_tenant.last_four, make_fresh_tenant.scopes, ends);
  return ends;
end $$;
revoke execute on function make_fresh_tenant from public;
grant execute on function make_fresh_tenant to marketplace_app;
`
