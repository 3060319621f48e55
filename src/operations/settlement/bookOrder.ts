import { receiptOf } from '../../domain/order/supersede.ts'
import { bookedGuarantees } from '../../domain/settlement/bookedGuarantees.ts'
import { bookedSpots } from '../../domain/settlement/bookedSpots.ts'
import { canceledDate } from '../../domain/settlement/datesInForce.ts'
import { findProducts } from '../../store/catalog/catalog.ts'
import type { Database } from '../../store/connection/database.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { bookSpots } from '../../store/settlement/bookSpots.ts'
import { creativeCodes } from '../../store/tenants/creatives.ts'

/** Writes what an order has booked since it was placed, from its log. Does nothing for an order that was never placed. Idempotent. */
export async function bookOrder(log: OrderLog, db: Pick<Database, 'pool' | 'sql'>, orderId: string): Promise<void> {
  const order = await log.load(orderId)
  const receipt = order && receiptOf(order)
  if (order === undefined || receipt === undefined) return
  const { request, facts, lines } = order
  const products = await findProducts(
    db.sql,
    request.seller,
    lines.flatMap(({ product_id, mirror }) => [product_id, ...(mirror === undefined ? [] : [mirror.product_id])]),
  )
  const isci = await creativeCodes(
    db,
    facts.buyer_entity,
    lines.flatMap(({ traffic_instructions }) => traffic_instructions?.creative_splits.map(({ creative_id }) => creative_id) ?? []),
  )
  const isBooked = await bookSpots(
    db,
    {
      order_id: facts.order_id,
      seller: request.seller,
      buyer_entity: facts.buyer_entity,
      external_order_id: request.external_order_id,
      seller_order_id: receipt.seller_order_id ?? null,
      agreement_id: request.agreement_id ?? null,
      currency: facts.currency,
      booked_seq: order.last_seq,
      guarantees: bookedGuarantees(order),
      ends_on: canceledDate(order) ?? null,
    },
    bookedSpots(order, { products: [...products.values()], isci }),
  )
  if (!isBooked) await bookOrder(log, db, orderId)
}
