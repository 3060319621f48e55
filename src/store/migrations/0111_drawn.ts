import { type Kysely, sql } from 'kysely'

/**
 * What each order draws on the credit of its agreement, kept as a figure, and when it is to be looked at for an invoice (choices, Pacing, credit). The
 * figures of stored orders follow in migration 0112.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COLUMNS, INDEXES]) await sql.raw(statement).execute(db)
}

const COLUMNS = `
alter table orders add column drawn numeric not null default 0,
  add column settled_gross numeric not null default 0, -- of invoices that were paid, and of credit notes
  add column invoice_due_at timestamptz; -- when it is to be looked at for an invoice; null when nothing is left to be billed
`

const INDEXES = `
create index orders_drawn on orders (agreement_id, root) include (drawn, status) where drawn <> 0;
create index orders_invoice_due on orders (invoice_due_at, order_id) include (seller) where invoice_due_at is not null;
`
