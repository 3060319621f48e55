import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** An order that must be checked for an invoice. */
export interface DueOrder {
  order_id: string
  invoice_due_at: string
}

/** Selects orders that are due by a time (now by default), after one in the order of due time, of one seller or of all. */
export interface DueRequest {
  asOf?: string | undefined
  after?: DueOrder | undefined
  seller?: string
  limit: number
}

/** Returns orders that are due for an invoice, the longest due first. */
export async function dueOrders({ pool }: Pick<Database, 'pool'>, { asOf, after, seller, limit }: DueRequest): Promise<DueOrder[]> {
  const { rows } = await pool.query<DueOrder>(
    DUE.bind({
      as_of: asOf ?? null,
      after_at: after?.invoice_due_at ?? '-infinity',
      after_id: after?.order_id ?? '',
      seller: seller ?? null,
      limit,
    }),
  )
  return rows
}

/** Reads a page of the orders that are due for an invoice. */
const DUE = statement(
  'due-to-invoice',
  ['as_of', 'after_at', 'after_id', 'seller', 'limit'],
  `select order_id, invoice_due_at from orders
    where invoice_due_at is not null and invoice_due_at <= coalesce(:as_of::timestamptz, now())
      and (invoice_due_at, order_id) > (:after_at::timestamptz, :after_id) and (:seller::text is null or seller = :seller)
    order by invoice_due_at, order_id limit :limit`,
)
