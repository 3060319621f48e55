import { type Kysely, sql } from 'kysely'

/** File drops: each registered manifest is a run of its drop, with where its work is, and the errors of its rows (choices, File drops). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  for (const table of ['drops', 'drop_errors']) {
    await sql.raw(`alter table ${table} enable row level security`).execute(db)
    await sql.raw(`create policy platform on ${table} to marketplace_platform using (true) with check (true)`).execute(db)
    for (const command of ['select', 'insert', 'update', 'delete']) {
      const clause = command === 'insert' ? 'with check' : 'using'
      await sql.raw(`create policy tenant_${command} on ${table} for ${command} to marketplace_app ${clause} (${OWN})`).execute(db)
    }
  }
}

const OWN = 'seller = any((select acting_tenants())::text[])'

const TABLES = `
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
  primary key (seller, drop_id, run_no),
  foreign key (seller, replay_of_drop_id, replay_of_run_no) references drops,
  check ((status = 'processing') = (ended_at is null)),
  check ((status = 'processing') = (stage <> 'ended')),
  check ((status = 'processing') = (result is null)),
  check ((replay_of_drop_id is null) = (replay_of_run_no is null))
);
create index drops_of_seller on drops (seller, registration);
create index drops_by_identity on drops (seller, identity, registration) where replay_of_drop_id is null and identity is not null;
create index drops_replaying on drops (seller, replay_of_drop_id, replay_of_run_no) where replay_of_drop_id is not null;
create index drops_open on drops (registration) where status = 'processing';
create index drops_unlanded on drops (ended_at) where ended_at is not null and result_landed_at is null;

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

grant select, insert, update on drops to marketplace_app;
grant select, insert, update, delete on drop_errors to marketplace_app;
`
