import { type Kysely, sql } from 'kysely'

/**
 * What a commit of a rate card had refused may be sent again under its name, and is published then: its further prices are written under a number of
 * their own, like those of any publish, and belong to the commit once the number is a part of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [PARTS, PUBLISHED, REPLIES]) await sql.raw(statement).execute(db)
}

const PARTS = `
create table rate_commit_parts (
  commit_no    bigint primary key, -- of the part's prices
  seller       text not null references sellers,
  completes    bigint not null references rate_commits (commit_no),
  completed_at timestamptz not null default now()
);
create index rate_commit_parts_of_commit on rate_commit_parts (completes);
alter table rate_commit_parts enable row level security;
create policy platform on rate_commit_parts to marketplace_platform using (true) with check (true);
create policy tenant_select on rate_commit_parts for select to marketplace_app using (seller = any((select acting_tenants())::text[]));
create policy tenant_insert on rate_commit_parts for insert to marketplace_app with check (seller = any((select acting_tenants())::text[]));
grant select, insert on rate_commit_parts to marketplace_app;
`

const PUBLISHED = `
create or replace function refuse_delete_of_published() returns trigger language plpgsql as $$
begin
  if exists (select from public.rate_commits c where c.commit_no = old.commit_no)
    or exists (select from public.rate_commit_parts p where p.commit_no = old.commit_no) then
    raise exception 'a published price is never deleted' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
`

/** The answer to a commit is that to what was sent of it last. */
const REPLIES = 'grant update (body_sha256, reply) on rate_commits to marketplace_app'
