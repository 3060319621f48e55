import { openSpool } from '../../../src/operations/drops/spool.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { recomputeDue } from '../../../src/operations/settlement/recomputeDue.ts'
import { ingest, landDrop } from '../drops/drops.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'
import type { TestApp } from '../http/app.ts'
import type { Market } from '../market.ts'

let sent = 0
const NO_LARGE_ORDERS = { ask: () => Promise.reject(new Error('a thread reconciles large orders; here is none')) }

/** Ingests a file of posts of a seller, all of whose rows must be accepted, and reconciles the orders that are due. */
export async function sendPosts(
  { deps: { db, drops, orders } }: Pick<TestApp, 'deps'>,
  seller: string,
  entries: readonly object[],
): Promise<void> {
  sent += 1
  const name = { seller, drop_id: `posts-${sent}` }
  const folder = await temporaryFolder()
  try {
    const deps = { db, drops, spool: openSpool(folder.path), productsPerSeller: 100 }
    const text = entries.map((entry) => JSON.stringify(entry)).join('\n')
    await landDrop(deps, name, [{ filename: 'posts.jsonl', type: 'delivery_posts', text }])
    await ingest(deps, name)
  } finally {
    await folder.remove()
  }
  const { rows } = await db.pool.query<{ result: string }>('select result from drops where seller = $1 and drop_id = $2', [
    seller,
    name.drop_id,
  ])
  const result = JSON.parse(rows[0]?.result ?? 'null')
  if (result?.status !== 'success') throw new Error(`the posts were not taken: ${JSON.stringify(result)}`)
  await recomputeDue({ log: orders, db, largeOrders: NO_LARGE_ORDERS }, seller, {
    signal: new AbortController().signal,
    onFailure: (order_id, error) => {
      throw new Error(`${order_id} was not reconciled`, { cause: error })
    },
  })
}

/** Places and closes an order, so that its spots are booked. */
export async function bookedOrder(market: Market, more?: Record<string, unknown>): Promise<string> {
  const orderId = await market.placed(more)
  await closeOrder(market.deps.orders, market.deps.db, orderId)
  return orderId
}

/**
 * Returns a row of a log about a line of the market: a spot of Monday, 2030-06-03, in its window from 20:00 to 23:00. Each order has its
 * own log, since one log of a day would replace that of another order.
 */
export function aLogged(order_id: string, more: object = {}) {
  return {
    ...{ record_type: 'as_run', order_id, network: 'CBL', air_date: '2030-06-03', air_time: '20:10', spot_length: 30, status: 'Aired' },
    log_id: order_id,
    ...more,
  }
}

/** Returns the same on an invoice of the seller, at the price of the market. */
export function aBilled(order_id: string, more: object = {}) {
  return {
    ...{ record_type: 'invoice', order_id, network: 'CBL', air_date: '2030-06-03', air_time: '20:10', spot_length: 30, rate: 1250.5 },
    ...{ invoice_number: `I-${order_id}`, invoice_date: '2030-06-30', broadcast_month: '2030-06', currency: 'USD', run_code: 'Y' },
    ...more,
  }
}
