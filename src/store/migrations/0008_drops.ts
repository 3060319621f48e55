import { type Kysely, sql } from 'kysely'
import { own, rowSecurity, whole } from './policies.ts'

/** File drops: the keys of sellers, what lies in the store, mappings, and each registered manifest as a run of its drop (choices, File drops). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [KEYS, FILES, LANDINGS, MANIFESTS, MAPPINGS, RUNS, ERRORS]) await sql.raw(statement).execute(db)
}

const OWN = own('seller')

const KEYS = `
-- The public keys with which sellers sign in to the SFTP server.
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
${rowSecurity('sftp_keys', { select: OWN })}
grant select on sftp_keys to marketplace_app;
grant select, insert, update on sftp_keys to marketplace_platform;

-- As find_credential: who signs in is known by its key before it is known whose rows it may see. A key in force is preferred to one that was revoked.
create function find_sftp_key(seller text, public_key bytea) returns table (key_id text, revoked boolean)
  language sql stable security definer set search_path = pg_catalog as $$
  select k.key_id, k.revoked_at is not null from public.sftp_keys k
  where k.seller = find_sftp_key.seller and k.public_key = find_sftp_key.public_key
  order by k.revoked_at desc nulls first limit 1
$$;
revoke execute on function find_sftp_key from public;
grant execute on function find_sftp_key to marketplace_app;
`

const FILES = `
create table drop_files (
  seller             text not null references sellers,
  drop_id            text not null,
  filename           text not null,
  size               bigint not null,
  tag                text, -- of the object that has this hash; null before it was hashed
  sha256             text,
  landed_at          timestamptz not null default now(),
  client_changed_at  timestamptz, -- when it was last changed before it was sent, as its client has said
  client_changed_tag text, -- of the object that this applies to
  primary key (seller, drop_id, filename),
  check ((tag is null) = (sha256 is null))
);
create index drop_files_by_age on drop_files (seller, landed_at);
create index drop_files_old on drop_files (landed_at);
${rowSecurity('drop_files', whole(OWN))}
grant select, insert, update, delete on drop_files to marketplace_app;
grant delete on drop_files to marketplace_platform;

create table drop_stock (
  seller text primary key references sellers,
  bytes  bigint not null -- of drop_files
);
${rowSecurity('drop_stock', { select: OWN })}
grant select on drop_stock to marketplace_app;

-- A trigger, so that whatever writes files is counted: a sum over all of them would be read for each file that lands.
create function count_drop_stock() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.drop_stock as stock (seller, bytes)
    values (coalesce(new.seller, old.seller), coalesce(new.size, 0) - coalesce(old.size, 0))
    on conflict (seller) do update set bytes = stock.bytes + excluded.bytes;
  return null;
end $$;
create trigger drop_files_counted after insert or delete or update of size on drop_files for each row execute function count_drop_stock();
`

const LANDINGS = `
-- Files that are landing just now count as those that have.
create table drop_landings (
  landing_id bigint generated always as identity primary key,
  seller     text not null references sellers,
  drop_id    text not null,
  filename   text not null,
  bytes      bigint not null, -- that the file may have until it asks for more
  until      timestamptz not null -- a process that was killed leaves its row
);
create index drop_landings_of_seller on drop_landings (seller, drop_id);
${rowSecurity('drop_landings', whole(OWN))}
grant select, insert, update, delete on drop_landings to marketplace_app;
`

const MANIFESTS = `
-- Manifests that are looked at until they can be registered.
create table landed_manifests (
  seller        text not null references sellers,
  drop_id       text not null,
  tag           text not null, -- of the manifest.json; another one is looked at from the start
  first_seen_at timestamptz not null default now(),
  look_at       timestamptz not null default now(),
  is_done       boolean not null default false,
  waits_for     text check (waits_for in ('waiting_for_files', 'hashing_files', 'daily_limit')), -- null before it was looked at
  errors        json not null default '[]', -- what a result would say if it were refused now
  primary key (seller, drop_id)
);
create index landed_manifests_due on landed_manifests (seller, look_at) where not is_done;
create index landed_manifests_old on landed_manifests (first_seen_at);
${rowSecurity('landed_manifests', { select: OWN })}
grant select, insert, update, delete on landed_manifests to marketplace_app; -- policies let it read alone

-- One worker walks through the store at a time.
create table drop_watch (
  is_one  boolean primary key default true check (is_one),
  watcher text not null,
  until   timestamptz not null
);
${rowSecurity('drop_watch')}
grant select, insert, update, delete on drop_watch to marketplace_app; -- no policy lets it at the row
`

const MAPPINGS = `
-- How sellers' own files are read. A version that was replaced stays while a drop that was registered with it is open.
create table drop_mappings (
  seller     text not null references sellers,
  name       text not null,
  version    text not null, -- a hash of the body
  type       text not null,
  body       json not null,
  is_current boolean not null default true,
  updated_at timestamptz not null default now(),
  primary key (seller, name, version)
);
create unique index drop_mappings_current on drop_mappings (seller, name) where is_current;
${rowSecurity('drop_mappings', whole(OWN))}
grant select, insert, update, delete on drop_mappings to marketplace_app;
`

const RUNS = `
create table drops (
  seller            text not null references sellers,
  drop_id           text not null,
  run_no            integer not null check (run_no > 0),
  registration      bigint generated always as identity unique, -- a seller's runs are worked on in this order
  registered_at     timestamptz not null default now(),
  schema_version    text not null,
  effective         json,
  files             json not null,
  identity          text, -- over the sha256 of the files; null where a manifest was refused, or the files were gone or changed when the run read them
  status            text not null default 'processing' check (status in ('processing', 'success', 'partial', 'rejected')),
  stage             text not null default 'fetch' check (stage in ('fetch', 'publish', 'avails', 'posts', 'finish', 'ended')),
  cursor_file       integer not null default 0,
  cursor_row        bigint not null default 0,
  rows_written      bigint not null default 0,
  rows_rejected     bigint not null default 0,
  counts            json not null default '{}', -- the same by type
  warnings          json not null default '[]',
  error_count       bigint not null default 0, -- of which drop_errors keeps the first
  result            text, -- JSON, as served and as it lands in the drop
  result_landed_at  timestamptz,
  stuck_reason      text,
  ended_at          timestamptz,
  replay_of_drop_id text, -- the run whose result this one replays: it has no work of its own
  replay_of_run_no  integer,
  manifest_sha256   text, -- by it a request to process files again finds its run while that is open
  is_replaced       boolean not null default false, -- a later drop has replaced its rows: it is no longer replayed
  checked_at        timestamptz, -- its catalog and cards: what has been published since, its refused rows have not been checked against
  mappings          json not null default '[]', -- {name, version} of those in force at the registration
  mapped            json not null default '[]', -- {file, mapping, version}: by which of them each file was read
  primary key (seller, drop_id, run_no),
  foreign key (seller, replay_of_drop_id, replay_of_run_no) references drops,
  check ((status = 'processing') = (ended_at is null)),
  check ((status = 'processing') = (stage <> 'ended')),
  check ((status = 'processing') = (result is null)),
  check ((replay_of_drop_id is null) = (replay_of_run_no is null))
);
create index drops_of_seller on drops (seller, registration);
create index drops_by_status on drops (seller, status, registration);
create index drops_by_identity on drops (seller, identity, registration) where replay_of_drop_id is null and identity is not null;
create index drops_replaying on drops (seller, replay_of_drop_id, replay_of_run_no) where replay_of_drop_id is not null;
create index drops_open on drops (registration) where status = 'processing';
create index drops_unlanded on drops (ended_at) where ended_at is not null and result_landed_at is null;
create index drops_faulty on drops (registration) where status in ('partial', 'rejected');
${rowSecurity('drops', whole(OWN))}
grant select, insert, update on drops to marketplace_app;
`

const ERRORS = `
-- The errors of the rows of an open run; those of an ended one are in its result alone.
create table drop_errors (
  seller     text not null,
  drop_id    text not null,
  run_no     integer not null,
  n          integer not null,
  file       text not null,
  row        bigint not null,
  error_code text not null,
  field      text,
  value      json,
  message    text not null,
  primary key (seller, drop_id, run_no, n),
  foreign key (seller, drop_id, run_no) references drops
);
${rowSecurity('drop_errors', whole(OWN))}
grant select, insert, update, delete on drop_errors to marketplace_app;
`
