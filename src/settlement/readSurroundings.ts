import { bookedDays } from '../domain/settlement/bookedDays.ts'
import type { LoggedDay } from '../domain/settlement/reconcile.ts'
import type { Database } from '../store/connection/database.ts'
import { type DeliveredPosts, readDelivered, readInvoicesStated, readLoggedDays } from '../store/settlement/readCoverage.ts'
import type { ToReconcile } from '../store/settlement/readToReconcile.ts'
import { dayKey, type Surroundings } from './reconciledOrder.ts'

/** Reads what else decides on orders. Returns a function that gives the part of each. */
export async function readSurroundings(
  db: Pick<Database, 'pool'>,
  seller: string,
  orders: readonly ToReconcile[],
): Promise<(order: ToReconcile) => Surroundings> {
  const days = new Map(orders.flatMap(({ booked }) => bookedDays(booked).map((day) => [dayKey(day), day])))
  const logged = new Set((await readLoggedDays(db, seller, [...days.values()])).map(dayKey))
  const guaranteed = orders.filter(({ head }) => head.guarantees.length > 0).map(({ head }) => head.order_id)
  const delivered = new Map<string, DeliveredPosts[]>(guaranteed.map((order_id) => [order_id, []]))
  for (const post of await readDelivered(db, guaranteed)) delivered.get(post.order_id)?.push(post)
  const numbers = new Set(orders.flatMap(({ invoiceMonths }) => [...invoiceMonths.keys()]))
  const stated = await readInvoicesStated(db, seller, [...numbers])
  const invoices = new Map(stated.map((invoice) => [invoice.invoice_number, invoice]))
  return ({ head }) => ({
    isLogged: (day: LoggedDay) => logged.has(dayKey(day)),
    delivered: delivered.get(head.order_id) ?? [],
    invoices,
  })
}
