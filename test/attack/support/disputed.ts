import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import type { Market } from '../../support/market.ts'
import { aBilled, aLogged, sendPosts } from '../../support/settlement/sendPosts.ts'
import type { Buyer, Seller } from './sowCanaries.ts'

interface Disputed {
  buyer: Buyer
  seller: Seller
  order: string
  /** Returns a text that only this buyer and this seller may read. */
  shared(what: string): string
}

/** Reconciles a placed order with a log and an invoice of the seller, then disputes and upholds a variance. Returns its id. */
export async function disputed(market: Market, { buyer, seller, order, shared }: Disputed): Promise<string> {
  await closeOrder(market.deps.orders, market.deps.db, order)
  const spot = { network: shared('a network in a log'), isci: shared('a copy in a log') }
  await sendPosts(market, seller, [
    aLogged(order, { ...spot, log_id: `${order}-1` }),
    aBilled(order, { ...spot, invoice_number: shared("a number of the seller's invoice") }),
  ])
  const at = `/orders/${order}/reconciliation`
  const { lines } = (await market[buyer].get(at)).body
  const [{ variance_id }] = lines.flatMap(({ variances }: { variances: object[] }) => variances)
  await market[buyer].post(`${at}/variances/${variance_id}`, {
    action: 'dispute',
    actor: shared('who disputes'),
    note: shared('a dispute'),
  })
  const upheld = { action: 'uphold', actor: shared('who upholds'), note: shared('an answer') }
  const { status, text } = await market[seller].post(`/me${at}/variances/${variance_id}`, upheld)
  if (status !== 200) throw new Error(`the dispute was not upheld: ${text}`)
  return variance_id
}
