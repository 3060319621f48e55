import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** An order that is to be looked at for an invoice. */
export interface DueOrder {
  order_id: string
  invoice_due_at: string
}

/** What is to be settled of an order. */
export interface ToSettle {
  /** Also if it was canceled since. Only then it books and bills anything. */
  was_placed: boolean
  /** Whether it is due for an invoice, by the clock of the database. */
  is_invoice_due: boolean
}

export async function readToSettle({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<ToSettle> {
  const { rows } = await pool.query<ToSettle>(TO_SETTLE.bind({ order_id: orderId }))
  return rows[0] ?? { was_placed: false, is_invoice_due: false }
}

/** One row, or none for an unknown order. */
const TO_SETTLE = statement(
  'read-to-settle',
  ['order_id'],
  `select placed_at is not null as was_placed, coalesce(invoice_due_at <= now(), false) as is_invoice_due from orders where order_id = :order_id`,
)

/** Which orders are asked for: those due by a time, now unless said otherwise, after one in the order of due time, of one seller or of all. */
export interface DueAsk {
  asOf?: string | undefined
  after?: DueOrder | undefined
  seller?: string
  limit: number
}

/** Orders that are due for an invoice, those first that have been for longest. */
export async function dueOrders({ pool }: Pick<Database, 'pool'>, { asOf, after, seller, limit }: DueAsk): Promise<DueOrder[]> {
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

/** Orders due for an invoice, a page of them. */
const DUE = statement(
  'due-to-invoice',
  ['as_of', 'after_at', 'after_id', 'seller', 'limit'],
  `select order_id, invoice_due_at from orders
    where invoice_due_at is not null and invoice_due_at <= coalesce(:as_of::timestamptz, now())
      and (invoice_due_at, order_id) > (:after_at::timestamptz, :after_id) and (:seller::text is null or seller = :seller)
    order by invoice_due_at, order_id limit :limit`,
)
