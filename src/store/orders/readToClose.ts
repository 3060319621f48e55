import type { OrderHead } from '../../domain/order/head.ts'
import { Refusal } from '../../domain/refusal.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { statement, unnested } from '../connection/statement.ts'
import { hasMailAddress } from '../edi/planMails.ts'
import { HEAD_COLUMNS } from './orderHead.ts'

/** An order with the work of its closing. */
export interface ToClose {
  head: OrderHead
  /** True even if it was canceled since. Only an order that was placed books and bills anything. */
  was_placed: boolean
  has_family: boolean
  /** Whether its agreement has an address for order mail. */
  has_mail: boolean
  /** Whether it is due for an invoice, by the database's clock. */
  is_invoice_due: boolean
}

/** Reads an order with the work of its closing. Errors: Refusal NOT_FOUND if the order does not exist. */
export async function readToClose({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<ToClose> {
  const found = await together(pool, orderId)
  if (found === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  return found
}

const together = batched<string, ToClose | undefined>(async (pool, orderIds) => {
  const { rows } = await pool.query<OrderHead & Omit<ToClose, 'head'>>(TO_CLOSE.bind({ order_ids: [...new Set(orderIds)] }))
  const found = new Map(
    rows.map(({ was_placed, has_family, has_mail, is_invoice_due, ...head }) => {
      return [head.order_id, { head, was_placed, has_family, has_mail, is_invoice_due }]
    }),
  )
  return orderIds.map((orderId) => found.get(orderId))
})

/** Reads a row for each order that exists. Fenced: a plan with a join, made while the table was empty, would scan all orders. */
const TO_CLOSE = statement(
  'read-to-close',
  ['order_ids'],
  `select own.* from ${unnested({ order_ids: 'text' })} as asked (id)
    cross join lateral (select ${HEAD_COLUMNS}, placed_at is not null as was_placed, root is not null as has_family,
        placed_at is not null and ${hasMailAddress('o')} as has_mail, coalesce(invoice_due_at <= now(), false) as is_invoice_due
      from orders o where order_id = asked.id offset 0) own`,
)
