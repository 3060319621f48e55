import { type Kysely, sql } from 'kysely'

/** What is under dispute of an invoice, counted by the database whatever writes the actions, results and invoices that it depends on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COLUMN, COUNT, TRIGGERS]) await sql.raw(statement).execute(db)
}

const COLUMN = `
alter table variance_actions add column disputed numeric not null default 0 check (disputed >= 0); -- of the invoice, until the next action
revoke update (disputed) on invoices from marketplace_app;
`

/**
 * A dispute counts while the result has its variance with the figures that it is about, and once for all variances of a line that are found in the same
 * rows. The row of the reconciliation is locked first: a new result, an action and an invoice of one order each see what the one before did.
 */
const COUNT = `
create function count_disputed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from public.variance_actions where order_id = new.order_id) then
    return null;
  end if;
  perform from public.reconciliations r where r.order_id = new.order_id for update;
  update public.invoices i set disputed = least(i.gross, counted.disputed)
  from (
    select m.invoice_id, coalesce((select sum(spots.disputed) from (
        select max(a.disputed) as disputed
        from (select distinct on (variance_id) * from public.variance_actions
            where order_id = new.order_id and broadcast_month = m.broadcast_month order by variance_id, n desc) a
          join public.reconciliations r on r.order_id = a.order_id
          join public.reconciliation_lines l on l.order_id = r.order_id and l.result = r.result
            and l.unit_id is not distinct from a.unit_id and l.network = a.network and l.air_date = a.air_date
          cross join lateral json_array_elements(l.body->'variances') v
        where a.disputed > 0 and v->>'variance_id' = a.variance_id and (v->>'units')::int = a.units and (v->>'gross')::numeric = a.gross
        group by l.line, coalesce(nullif(v->>'rows', '[]'), a.variance_id)
      ) spots), 0) as disputed
    from public.invoices m where m.order_id = new.order_id and m.kind = 'invoice' and m.n = 1 -- the first bills the spots
  ) counted
  where i.invoice_id = counted.invoice_id and i.disputed <> least(i.gross, counted.disputed);
  return null;
end $$;
`

const TRIGGERS = `
create trigger disputed_by_action after insert on variance_actions for each row execute function count_disputed();
create trigger disputed_by_result after update of result on reconciliations for each row
  when (old.result <> new.result) execute function count_disputed();
create trigger disputed_at_issue after insert on invoices for each row when (new.kind = 'invoice' and new.n = 1) execute function count_disputed();
`
