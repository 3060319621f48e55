import { bookedDays, type DaysByNetwork } from '../domain/settlement/bookedDays.ts'
import type { LoggedDay } from '../domain/settlement/reconcile.ts'
import type { Database } from '../store/connection/database.ts'
import { type DeliveredPosts, readDelivered, readInvoicesStated, readLoggedDays } from '../store/settlement/readCoverage.ts'
import type { ToReconcile } from '../store/settlement/readToReconcile.ts'
import type { Surroundings } from './reconciledOrder.ts'

type SurroundingsOf = (order: ToReconcile) => Surroundings

/** Reads what else decides on orders. Returns a function that gives the part of each. */
export function readSurroundings(db: Pick<Database, 'pool'>, seller: string, orders: readonly ToReconcile[]): Promise<SurroundingsOf> {
  return surroundingsReader(db, seller)(orders)
}

/** The same for orders that come some at a time: which days there are logs of is asked once. Not for longer than marks are good for that were read before. */
export function surroundingsReader(
  db: Pick<Database, 'pool'>,
  seller: string,
): (orders: readonly ToReconcile[]) => Promise<SurroundingsOf> {
  const networks: DaysByNetwork = new Map()
  const asked = new Set<LoggedDay>()
  const logged = new Set<LoggedDay>()
  return async (orders) => {
    const daysOf = new Map(orders.map((order) => [order, bookedDays(order.booked, networks)]))
    const days = [...networks.values()].flatMap((known) => [...known.values()].filter((day) => !asked.has(day)))
    for (const { place } of await readLoggedDays(db, seller, days)) logged.add(days[place - 1] as LoggedDay)
    for (const day of days) asked.add(day)
    const delivered = await deliveredTo(db, orders)
    const numbers = new Set(orders.flatMap(({ invoiceMonths }) => [...invoiceMonths.keys()]))
    const stated = await readInvoicesStated(db, seller, [...numbers])
    const invoices = new Map(stated.map((invoice) => [invoice.invoice_number, invoice]))
    return (order) => {
      const booked = daysOf.get(order) ?? []
      return {
        bookedDays: booked,
        loggedDays: booked.filter((day) => logged.has(day)),
        delivered: delivered.get(order.head.order_id) ?? [],
        invoices,
      }
    }
  }
}

/** What posts say of orders that guarantee audiences. */
async function deliveredTo(db: Pick<Database, 'pool'>, orders: readonly ToReconcile[]): Promise<Map<string, DeliveredPosts[]>> {
  const guaranteed = orders.filter(({ head }) => head.guarantees.length > 0).map(({ head }) => head.order_id)
  const delivered = new Map<string, DeliveredPosts[]>(guaranteed.map((order_id) => [order_id, []]))
  for (const post of await readDelivered(db, guaranteed)) delivered.get(post.order_id)?.push(post)
  return delivered
}
