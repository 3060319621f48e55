import { type Kysely, sql } from 'kysely'

/** What lies in the drops' store: files with their hashes, manifests that are looked at until they can be registered, and which worker looks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  for (const table of ['drop_files', 'landed_manifests', 'drop_watch']) {
    await sql.raw(`alter table ${table} enable row level security`).execute(db)
    await sql.raw(`create policy platform on ${table} to marketplace_platform using (true) with check (true)`).execute(db)
  }
  for (const command of ['select', 'insert', 'update']) {
    const clause = command === 'insert' ? 'with check' : 'using'
    await sql.raw(`create policy tenant_${command} on drop_files for ${command} to marketplace_app ${clause} (${OWN})`).execute(db)
  }
}

const OWN = 'seller = any((select acting_tenants())::text[])'

const TABLES = `
create table drop_files (
  seller    text not null references sellers,
  drop_id   text not null,
  filename  text not null,
  size      bigint not null,
  tag       text, -- of the object that has this hash; null before it was hashed
  sha256    text,
  landed_at timestamptz not null default now(),
  primary key (seller, drop_id, filename),
  check ((tag is null) = (sha256 is null))
);
create index drop_files_by_age on drop_files (seller, landed_at);

create table landed_manifests (
  seller        text not null references sellers,
  drop_id       text not null,
  tag           text not null, -- of the manifest.json; another one is looked at from the start
  first_seen_at timestamptz not null default now(),
  look_at       timestamptz not null default now(),
  is_done       boolean not null default false,
  primary key (seller, drop_id)
);
create index landed_manifests_due on landed_manifests (seller, look_at) where not is_done;

-- One worker walks through the store at a time.
create table drop_watch (
  is_one  boolean primary key default true check (is_one),
  watcher text not null,
  until   timestamptz not null
);

grant select, insert, update on drop_files to marketplace_app;
grant select, insert, update, delete on landed_manifests, drop_watch to marketplace_app; -- no policy lets it at a row
grant delete on drop_files to marketplace_platform;
`
