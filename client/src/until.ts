import { pause } from './retry.js'
import type { components } from './schema.js'

type Order = components['schemas']['OrderSnapshot']

export interface Until {
  /** The longest time to wait, in milliseconds; an hour if left out. */
  withinMs?: number
  signal?: AbortSignal
}

/** Reads an order until it is as asked: soon at first, and then every few seconds. Fails with the order's status once the time is over. */
export async function untilOrder(
  read: () => Promise<Order>,
  isReached: (order: Order) => boolean,
  { withinMs = 3_600_000, signal }: Until = {},
): Promise<Order> {
  const deadline = Date.now() + withinMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 1.5, 5_000)) {
    const order = await read()
    if (isReached(order)) return order
    if (Date.now() + waitMs > deadline) throw new Error(`Order ${order.order_id} is still ${order.status}.`)
    await pause(waitMs, signal)
  }
}

/** Whether an order waits for one of its parties, or has ended. */
export function isParked(order: Order): boolean {
  const party = order.waiting_on?.party
  return isTerminal(order) || party === 'buyer' || party === 'seller'
}

/** Whether an order has ended; a placed one can still be canceled. */
export function isTerminal({ status }: Order): boolean {
  return ['placed', 'canceled', 'rejected', 'failed'].includes(status)
}
