import { type Kysely, sql } from 'kysely'
import { ofOrder, own, PARTY, rowSecurity, whole } from './policies.ts'

/** What orders refer to: the buyer's creatives, uploads with what was read of them, and holds; and how far a seller's own API was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [CREATIVES, UPLOADS, READINGS, HOLDS, REMOTE]) await sql.raw(statement).execute(db)
}

const CREATIVES = `
create table creatives (
  creative_id    text primary key,
  buyer_entity   text not null,
  creative_code  text not null,
  name           text not null,
  length_seconds integer not null,
  status         text not null default 'active' check (status in ('active', 'archived')),
  created_at     timestamptz not null
);
create index creatives_of_buyer on creatives (buyer_entity, creative_id);
${rowSecurity('creatives', whole(own('buyer_entity')))}
grant select, insert, update on creatives to marketplace_app;
`

const UPLOADS = `
create table uploads (
  upload_id    text primary key,
  buyer_entity text not null,
  filename     text not null,
  format       text not null check (format in ('pdf', 'xlsx', 'csv')),
  size_bytes   bigint not null,
  -- receiving: its one PUT is under way; read as pending
  status       text not null check (status in ('pending', 'receiving', 'uploaded', 'rejected', 'expired')),
  sha256       text,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  claimed_at   timestamptz, -- taken away when the object is gone, and when a claim is given back
  pinned       boolean not null default false -- an upload that an order references never lapses
);
create index uploads_of_buyer on uploads (buyer_entity, created_at);
create index uploads_to_lapse on uploads (expires_at) where status in ('pending', 'receiving', 'uploaded') and not pinned;
-- What has lapsed or was rejected may have an object that is to be deleted.
create index uploads_to_clear on uploads (upload_id) where status in ('rejected', 'expired') and claimed_at is not null;
${rowSecurity('uploads', whole(own('buyer_entity')))}
grant select, insert, update on uploads to marketplace_app;

create table order_uploads (
  order_id  text not null,
  upload_id text not null references uploads,
  primary key (upload_id, order_id)
);
${rowSecurity('order_uploads', {
  select: ofOrder('order_uploads'),
  insert: 'order_id = any((select creating_orders())::text[]) or is_party(order_id, (select acting_tenants()))',
})}
grant select, insert on order_uploads to marketplace_app;

-- A seller reads what a buyer attached to an order: the upload is the buyer's row, and this is the one way to it for a party of the order.
create function attached_upload(wanted_order text, wanted_upload text)
  returns table (upload_id text, filename text, size_bytes bigint, claimed_at timestamptz)
  language sql stable security definer as $$
  select u.upload_id, u.filename, u.size_bytes, u.claimed_at from public.uploads u
    join public.order_uploads o on o.upload_id operator(pg_catalog.=) u.upload_id
  where o.order_id operator(pg_catalog.=) wanted_order and u.upload_id operator(pg_catalog.=) wanted_upload and u.status operator(pg_catalog.=) 'uploaded'
    and (public.is_party(wanted_order, public.acting_tenants()))
$$;
revoke execute on function attached_upload from public;
grant execute on function attached_upload to marketplace_app;
`

const READINGS = `
-- What a document was read to say, kept beside its upload: many orders may name one.
create table document_readings (
  upload_id text not null references uploads on delete cascade,
  reader    integer not null, -- another one may read the same file differently
  anchor    text not null, -- the date from which dates without a year were counted; empty when the document has none
  reading   json not null,
  read_at   timestamptz not null default now(),
  primary key (upload_id, reader, anchor)
);
create index document_readings_age on document_readings (read_at);
${rowSecurity('document_readings', { select: 'exists (select from uploads u where u.upload_id = document_readings.upload_id offset 0)' })}
grant select, insert, delete on document_readings to marketplace_app;

-- What a buyer said of documents of one layout to a seller, to be proposed for the next one.
create table document_layouts (
  buyer       text not null,
  seller      text not null,
  fingerprint text not null, -- a hash of the words of its headings
  answers     json not null, -- {kind, label, choice}
  said_at     timestamptz not null default now(),
  primary key (buyer, seller, fingerprint)
);
${rowSecurity('document_layouts', whole(own('buyer')))}
grant select, insert, update, delete on document_layouts to marketplace_app;
`

const HOLDS = `
-- Inventory that a buyer keeps for a while.
create table holds (
  hold_id      text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  -- asking: the seller's API is being asked; refused: it said no. Neither is ever shown
  status       text not null check (status in ('asking', 'held', 'refused', 'released', 'expired', 'used')),
  lines        jsonb not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  order_id     text,
  at_seller    boolean not null, -- the seller's API was asked to hold, and must hear of the end
  closed       boolean not null default false -- nothing is left to be done
);
create index holds_open on holds (buyer_entity, seller) where status in ('asking', 'held');
create index holds_of_buyer on holds (buyer_entity, hold_id);
create index holds_of_seller on holds (seller, hold_id);
${rowSecurity('holds', { select: PARTY, insert: own('buyer_entity'), update: PARTY })}
grant select, insert, update on holds to marketplace_app;

-- Idempotency keys of holds: what each answered, so that a repeat answers the same.
create table hold_keys (
  buyer_entity text not null,
  key          text not null,
  body_hash    bytea not null,
  hold_id      text not null references holds,
  reply        text, -- null while the seller's API is asked
  created_at   timestamptz not null default now(),
  primary key (buyer_entity, key)
);
create index hold_keys_age on hold_keys (created_at);
${rowSecurity('hold_keys', whole(own('buyer_entity')))}
grant select, insert, update, delete on hold_keys to marketplace_app;
`

const REMOTE = `
-- The pull gate: how far the asking of a seller's own API has come, order by order. Bookkeeping: no part of any record.
create table remote_asks (
  order_id    text primary key,
  accepted    boolean not null default false, -- the seller's API has said that it will decide: it is polled from then on
  asks        integer not null default 0,
  unreachable integer not null default 0, -- in a row, without any answer
  asked_at    timestamptz not null
);
${rowSecurity('remote_asks')}
grant select, insert, update on remote_asks to marketplace_app;
`
