import { type Kysely, sql } from 'kysely'

/**
 * Makegoods: units of placed orders that do not air, what sellers offer for them, what was agreed, and what is credited instead. They are records of
 * their own: no event and no allocation of an order changes (choices, Makegoods).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  for (const [table, policies] of Object.entries(POLICIES)) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      ...Object.entries(policies).map(([command, rule]) => {
        const clause = command === 'insert' ? 'with check' : 'using'
        return `create policy tenant_${command} on ${table} for ${command} to marketplace_app ${clause} (${rule})`
      }),
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}

const PARTY = 'array[seller, buyer_entity] && (select acting_tenants())'
const OWN = 'seller = any((select acting_tenants())::text[])'
/** A party acts in its own name; what the platform does in the transaction of either is neither's. */
const OWN_SIDE = `case side when 'buyer' then buyer_entity = any((select acting_tenants())::text[]) when 'seller' then ${OWN} else ${PARTY} end`
const POLICIES = {
  makegoods: { select: PARTY, insert: OWN, update: PARTY },
  makegood_steps: { select: PARTY, insert: OWN_SIDE },
  // A credit note is issued by the platform, and in the sandbox by the seller.
  makegood_credits: { select: PARTY, insert: PARTY, update: OWN },
  makegood_days: { select: OWN, insert: OWN, update: OWN },
}

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
create trigger makegood_steps_append_only before update or delete on makegood_steps for each row execute function refuse_change();
create trigger makegood_steps_never_truncated before truncate on makegood_steps for each statement execute function refuse_change();

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

create table makegood_days (
  seller  text not null references sellers,
  day     date not null,
  noticed integer not null check (noticed > 0),
  primary key (seller, day)
);

grant select, insert on makegoods, makegood_steps, makegood_credits to marketplace_app, marketplace_platform;
grant update (status, version, offers, agreed, product_ids, expires_at, due_at, followed, updated_at) on makegoods to marketplace_app;
grant update on makegoods to marketplace_platform;
grant update (invoice_id) on makegood_credits to marketplace_app, marketplace_platform;
grant select, insert, update on makegood_days to marketplace_app, marketplace_platform;
`
