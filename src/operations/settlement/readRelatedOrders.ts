import { bookedDays, type DaysByNetwork } from '../../domain/settlement/bookedDays.ts'
import { keyOf } from '../../domain/settlement/keyOf.ts'
import type { LoggedDay } from '../../domain/settlement/reconcile.ts'
import type { Database } from '../../store/connection/database.ts'
import {
  type DeliveredPosts,
  readDelivered,
  readInvoicesStated,
  readLoggedDays,
  readUndecidedDays,
} from '../../store/settlement/readCoverage.ts'
import type { ToReconcile } from '../../store/settlement/readToReconcile.ts'
import type { RelatedOrders } from './reconciledOrder.ts'

type RelatedOrdersOf = (order: ToReconcile) => RelatedOrders

/** Reads the other data that orders are reconciled with. Returns a function that gives each order its part. */
export function readRelatedOrders(db: Pick<Database, 'pool'>, seller: string, orders: readonly ToReconcile[]): Promise<RelatedOrdersOf> {
  return relatedOrdersReader(db, seller)(orders)
}

/** Returns a reader of that data for one batch of orders after the other, which reads log days only once. Use it only while the marks that were read before are valid. */
export function relatedOrdersReader(
  db: Pick<Database, 'pool'>,
  seller: string,
): (orders: readonly ToReconcile[]) => Promise<RelatedOrdersOf> {
  const networks: DaysByNetwork = new Map()
  const asked = new Set<LoggedDay>()
  const logged = new Set<LoggedDay>()
  return async (orders) => {
    const daysOf = new Map(
      orders.map((order) => [order, bookedDays(order.agreed.length === 0 ? order.booked : [...order.booked, ...order.agreed], networks)]),
    )
    const days = [...networks.values()].flatMap((known) => [...known.values()].filter((day) => !asked.has(day)))
    for (const { place } of await readLoggedDays(db, seller, days)) logged.add(days[place - 1] as LoggedDay)
    for (const day of days) asked.add(day)
    const undecided = await undecidedDays(db, seller, orders)
    const delivered = await deliveredTo(db, orders)
    const numbers = new Set(orders.flatMap(({ invoiceMonths }) => [...invoiceMonths.keys()]))
    const stated = await readInvoicesStated(db, seller, [...numbers])
    const invoices = new Map(stated.map((invoice) => [invoice.invoice_number, invoice]))
    return (order) => {
      const booked = daysOf.get(order) ?? []
      return {
        bookedDays: booked,
        loggedDays: booked.filter((day) => logged.has(day) && !undecided.has(keyOf(order.head.order_id, day.network, day.broadcast_date))),
        delivered: delivered.get(order.head.order_id) ?? [],
        invoices,
      }
    }
  }
}

/** Returns the keys of the days whose logs do not say of each spot of an order whether it aired: nothing is missed there for its absence. */
async function undecidedDays(db: Pick<Database, 'pool'>, seller: string, orders: readonly ToReconcile[]): Promise<ReadonlySet<string>> {
  const days = await readUndecidedDays(
    db,
    seller,
    orders.map(({ head }) => head.order_id),
  )
  return new Set(days.map(({ order_id, network, broadcast_date }) => keyOf(order_id, network, broadcast_date)))
}

/** Reads what posts report for orders that guarantee audiences. */
async function deliveredTo(db: Pick<Database, 'pool'>, orders: readonly ToReconcile[]): Promise<Map<string, DeliveredPosts[]>> {
  const guaranteed = orders.filter(({ head }) => head.guarantees.length > 0).map(({ head }) => head.order_id)
  const delivered = new Map<string, DeliveredPosts[]>(guaranteed.map((order_id) => [order_id, []]))
  for (const post of await readDelivered(db, guaranteed)) delivered.get(post.order_id)?.push(post)
  return delivered
}
