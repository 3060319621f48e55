import { type Kysely, sql } from 'kysely'
import { appendOnly, own, PARTY, rowSecurity } from './policies.ts'

/**
 * Makegoods: units of placed orders that do not air, what sellers offer for them, what was agreed, and what is credited instead. They are records of
 * their own: no event and no allocation of an order changes (choices, Makegoods).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}

/** A party acts in its own name; what the platform does in the transaction of either is neither's. */
const OWN_SIDE = `case side when 'buyer' then ${own('buyer_entity')} when 'seller' then ${own('seller')} else ${PARTY} end`

const TABLES = `
create table makegoods (
  makegood_id    text primary key,
  order_id       text not null references orders,
  seller         text not null references sellers,
  buyer_entity   text not null,
  status         text not null check (status in ('noticed', 'offered', 'accepted', 'declined', 'expired', 'recalled', 'credited')),
  version        integer not null check (version > 0), -- raised by each offer
  missed         json not null,
  offers         json not null,
  agreed         json, -- the accepted offer, with the price of what it replaces
  agreed_outside boolean not null,
  product_ids    text[] not null, -- offered and replaced
  expires_at     timestamptz,
  due_at         timestamptz, -- when its run looks at it; null once it waits for nobody
  followed       boolean not null default false, -- whether its run has done what follows from its last change
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  check ((status = 'accepted') = (agreed is not null))
);
create index makegoods_of_order on makegoods (order_id, makegood_id);
create index makegoods_of_buyer on makegoods (buyer_entity, makegood_id);
create index makegoods_of_seller on makegoods (seller, makegood_id);
create index makegoods_due on makegoods (due_at) where due_at is not null;
create index makegoods_to_follow on makegoods (updated_at) where not followed;
${rowSecurity('makegoods', { select: PARTY, insert: own('seller'), update: PARTY })}

create table makegood_steps (
  makegood_id  text not null references makegoods,
  n            integer not null check (n > 0),
  order_id     text not null,
  seller       text not null,
  buyer_entity text not null,
  action       text not null check (action in ('notice', 'offer', 'recall', 'accept', 'decline', 'credit', 'expire')),
  side         text not null check (side in ('buyer', 'seller', 'platform')),
  actor        text not null,
  note         text,
  status       text not null, -- that it led to
  version      integer not null,
  request_key  text, -- how it was sent
  body_hash    bytea,
  at           timestamptz not null,
  primary key (makegood_id, n)
);
create index makegood_steps_by_key on makegood_steps (order_id, request_key) where request_key is not null;
${appendOnly('makegood_steps')}
${rowSecurity('makegood_steps', { select: PARTY, insert: OWN_SIDE })}

create table makegood_credits (
  makegood_id     text not null references makegoods,
  unit_id         text not null,
  air_date        date not null,
  order_id        text not null,
  seller          text not null,
  buyer_entity    text not null,
  network         text not null,
  units           integer not null check (units > 0),
  gross           numeric not null check (gross >= 0),
  broadcast_month text not null,
  invoice_id      text references invoices, -- the credit note; null before the month is invoiced, and for an order that is settled directly
  primary key (makegood_id, unit_id, air_date)
);
create index makegood_credits_of_order on makegood_credits (order_id, unit_id, air_date);
-- A credit note is issued by the platform, and in the sandbox by the seller.
${rowSecurity('makegood_credits', { select: PARTY, insert: PARTY, update: own('seller') })}

create table makegood_days (
  seller  text not null references sellers,
  day     date not null,
  noticed integer not null check (noticed > 0),
  primary key (seller, day)
);
${rowSecurity('makegood_days', { select: own('seller'), insert: own('seller'), update: own('seller') })}

grant select, insert on makegoods, makegood_steps, makegood_credits to marketplace_app, marketplace_platform;
grant update (status, version, offers, agreed, product_ids, expires_at, due_at, followed, updated_at) on makegoods to marketplace_app;
grant update on makegoods to marketplace_platform;
grant update (invoice_id) on makegood_credits to marketplace_app, marketplace_platform;
grant select, insert, update on makegood_days to marketplace_app, marketplace_platform;
`
