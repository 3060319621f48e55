import { type Kysely, sql } from 'kysely'
import { own, PARTY, QUEUE, rowSecurity } from './policies.ts'

/** Invoices on cleared trades, and what orders draw on the credit of their agreements (choices, Invoices; Pacing, credit). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [INVOICES, COUNTERS, CREDIT, GATHER, NOTE, RECOUNT]) await sql.raw(statement).execute(db)
}

const OWN = own('seller')

const INVOICES = `
create table invoices (
  invoice_id        text primary key,
  seller            text not null references sellers,
  buyer_entity      text not null,
  order_id          text not null references orders,
  external_order_id text not null,
  agreement_id      text not null,
  estimate_id       text,
  broadcast_month   text not null,
  kind              text not null check (kind in ('invoice', 'credit_note')),
  n                 integer not null check (n > 0), -- of its kind, order and month
  invoice_number    text not null,
  credits           text references invoices, -- the invoice that a credit note credits
  reason            text,
  order_seq         integer not null, -- the last event of the order when it was issued
  currency          text not null,
  gross             numeric not null,
  commission_pct    numeric not null,
  commission        numeric not null,
  net               numeric not null,
  credited          numeric not null default 0, -- by credit notes
  disputed          numeric not null default 0, -- of units under dispute, as recount_disputed() writes it
  lines             json not null,
  status            text not null default 'issued' check (status in ('issued', 'paid', 'credited')),
  issued_at         timestamptz not null,
  paid_at           timestamptz,
  paid_on           date,
  reference         text,
  unique (order_id, broadcast_month, kind, n),
  unique (seller, invoice_number),
  check (kind = 'invoice' or credits is not null)
);
create index invoices_of_buyer on invoices (buyer_entity, invoice_id);
create index invoices_of_seller on invoices (seller, invoice_id);
create index invoices_under_agreement on invoices (agreement_id, broadcast_month, invoice_id);
${rowSecurity('invoices', { select: PARTY, insert: OWN, update: OWN })}
grant select, insert on invoices to marketplace_app;
grant update (status, paid_at, paid_on, reference, credited) on invoices to marketplace_app;
`

const COUNTERS = `
-- The number is taken in the transaction that issues, so that none is left out when it is rolled back.
create table invoice_counters (
  seller          text not null references sellers,
  broadcast_month text not null,
  last            integer not null check (last > 0),
  primary key (seller, broadcast_month)
);
${rowSecurity('invoice_counters', { select: OWN, insert: OWN, update: OWN })}
grant select, insert, update on invoice_counters to marketplace_app;
`

/**
 * What the orders under an agreement draw on its credit, kept as one figure by the database, whatever writes the orders. An order's change leaves one
 * row, so that no order waits for another; one change of 32 gathers those of its agreement into the figure, and waits for nobody either.
 */
const CREDIT = `
create table credit_drawn ( -- but for what credit_changes say
  agreement_id text primary key,
  seller       text not null,
  buyer_entity text not null,
  drawn        numeric not null
);
create table credit_families ( -- what each family of an order and its revisions counts for in credit_drawn
  agreement_id text not null,
  family       text not null,
  seller       text not null,
  buyer_entity text not null,
  drawn        numeric not null,
  primary key (agreement_id, family)
);
create table credit_changes (
  agreement_id text not null,
  change_id    bigint generated always as identity,
  seller       text not null,
  buyer_entity text not null,
  amount       numeric not null, -- of an order without revisions
  family       text, -- counts for something else now
  primary key (agreement_id, change_id)
) with (${QUEUE});
${rowSecurity('credit_drawn', { select: PARTY })}
${rowSecurity('credit_families', { select: PARTY })}
${rowSecurity('credit_changes', { select: PARTY })}
grant select on credit_drawn, credit_families, credit_changes to marketplace_app;
`

/** Of a family one order can be placed in the end, so that the most expensive open or placed one counts, and what is still owed of canceled ones. */
const DRAWN_BY_FAMILY = `coalesce(sum(o.drawn) filter (where o.status = 'canceled'), 0) + coalesce(max(o.drawn) filter (where o.status <> 'canceled'), 0)`

/**
 * Each statement of the function sees what is committed by then. A family may be counted with a change whose row comes to light only later: it is then
 * counted again, to the same amount.
 */
const GATHER = `
create function gather_credit(gathered text, of_seller text, of_buyer text) returns void language plpgsql security definer set search_path = pg_catalog as $$
declare
  added numeric;
  changed text[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('credit:' || gathered, 0)) then
    return; -- another one gathers: the next will find what it leaves
  end if;
  with oldest as materialized (
    select c.change_id from public.credit_changes c where c.agreement_id = gathered order by c.change_id limit 5000
  ), gone as (
    delete from public.credit_changes c where c.agreement_id = gathered and c.change_id in (select o.change_id from oldest o) returning c.amount, c.family
  )
  select coalesce(sum(g.amount), 0), coalesce(array_agg(distinct g.family) filter (where g.family is not null), '{}') into added, changed from gone g;
  with counted as materialized (
    select named.family, ${DRAWN_BY_FAMILY} as drawn
    from unnest(changed) as named (family) left join public.orders o on o.agreement_id = gathered and o.root = named.family and o.drawn <> 0
    group by named.family
  ), before as materialized (
    select coalesce(sum(f.drawn), 0) as drawn from public.credit_families f where f.agreement_id = gathered and f.family = any (changed)
  ), kept as (
    insert into public.credit_families (agreement_id, family, seller, buyer_entity, drawn)
    select gathered, c.family, of_seller, of_buyer, c.drawn from counted c
    on conflict (agreement_id, family) do update set drawn = excluded.drawn
  )
  select added + coalesce((select sum(c.drawn) from counted c), 0) - b.drawn into added from before b;
  insert into public.credit_drawn as d (agreement_id, seller, buyer_entity, drawn) values (gathered, of_seller, of_buyer, added)
  on conflict (agreement_id) do update set drawn = d.drawn + excluded.drawn;
end $$;
revoke execute on function gather_credit from public;
`

/**
 * Orders are never deleted, and stay under their agreement. The number of a change is one of all agreements: by its hash, since of agreements that take
 * turns some would never have one that 32 divides.
 */
const NOTE = `
create function note_drawn() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  added numeric := case when new.root is null then new.drawn else 0 end;
  changed text := new.root;
  noted bigint;
begin
  if tg_op = 'UPDATE' then
    if old.drawn = new.drawn and old.root is not distinct from new.root and (new.drawn = 0 or (old.status = 'canceled') = (new.status = 'canceled')) then
      return null;
    end if;
    if old.root is null then
      added := added - old.drawn;
    elsif new.root is distinct from old.root then
      insert into public.credit_changes (agreement_id, seller, buyer_entity, amount, family)
      values (new.agreement_id, new.seller, new.buyer_entity, 0, old.root);
    end if;
  end if;
  if added = 0 and changed is null then
    return null;
  end if;
  insert into public.credit_changes (agreement_id, seller, buyer_entity, amount, family)
  values (new.agreement_id, new.seller, new.buyer_entity, added, changed) returning change_id into noted;
  if pg_catalog.hashint8(noted) % 32 = 0 then
    perform public.gather_credit(new.agreement_id, new.seller, new.buyer_entity);
  end if;
  return null;
end $$;
revoke execute on function note_drawn from public;
create trigger drawn_at_create after insert on orders for each row when (new.agreement_id is not null) execute function note_drawn();
create trigger drawn_by_change after update of drawn, root, status on orders for each row when (new.agreement_id is not null) execute function note_drawn();
`

/** From the orders alone, which nobody changes meanwhile: after a restore. */
const RECOUNT = `
create function recount_credit() returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  lock table public.orders in share row exclusive mode;
  delete from public.credit_changes;
  delete from public.credit_families;
  delete from public.credit_drawn;
  insert into public.credit_families (agreement_id, family, seller, buyer_entity, drawn)
  select o.agreement_id, o.root, min(o.seller), min(o.buyer_entity), ${DRAWN_BY_FAMILY}
  from public.orders o where o.agreement_id is not null and o.drawn <> 0 and o.root is not null group by o.agreement_id, o.root;
  insert into public.credit_drawn (agreement_id, seller, buyer_entity, drawn)
  select d.agreement_id, min(d.seller), min(d.buyer_entity), sum(d.drawn) from (
    select o.agreement_id, o.seller, o.buyer_entity, o.drawn from public.orders o where o.agreement_id is not null and o.drawn <> 0 and o.root is null
    union all
    select f.agreement_id, f.seller, f.buyer_entity, f.drawn from public.credit_families f
  ) d group by d.agreement_id;
end $$;
revoke execute on function recount_credit from public;
`
