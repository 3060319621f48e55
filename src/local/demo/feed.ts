import { setTimeout as sleep } from 'node:timers/promises'
import type { EventFeed, OrderEvent } from '../../contract/event.ts'
import type { OrderStatus } from '../../contract/vocabulary.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { line } from './story.ts'

/** Returns the cursor at the end of the tenant's event feed, so that only new events follow it. */
export async function feedCursor(asBuyer: Operations): Promise<string> {
  let after: string | undefined
  for (;;) {
    const { events, next_cursor } = await readFeed(asBuyer, after)
    if (events.length === 0) return next_cursor
    after = next_cursor
  }
}

interface Awaited {
  asBuyer: Operations
  orderId: string
  after: string
  signal: AbortSignal
}

/** Waits until the order is parked for its seller's review. */
export async function untilReviewed(awaited: Awaited): Promise<void> {
  await untilStatus('seller_review', awaited)
}

/** Follows the feed, as a client without webhooks does, until the order reaches the status. Returns the cursor to continue from. */
export async function untilStatus(status: OrderStatus, { asBuyer, orderId, after, signal }: Awaited): Promise<string> {
  line('GET /v1/events/feed?after={cursor}')
  let reached = false
  const deadline = Date.now() + PATIENCE_MS
  for (let cursor = after; Date.now() < deadline; ) {
    const { events, next_cursor } = await readFeed(asBuyer, cursor)
    for (const event of events) {
      if (event.event_type !== 'order.status_changed' || event.order_id !== orderId) continue
      tellEvent(event)
      reached ||= event.status === status
      if (event.status === 'failed') throw new DemoFault(`The order failed: ${event.error?.error_code}, ${event.error?.error_message}`)
    }
    if (reached) return next_cursor
    cursor = next_cursor
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new DemoFault(
    `The order did not reach ${status} within ${PATIENCE_MS / 1_000} s; its workflow order:${orderId} in the Temporal UI says why.`,
  )
}

const PATIENCE_MS = 60_000
/** Stays below the five reads a second that a client may make. */
const POLL_MS = 250

function tellEvent({ seq, status, prior_status, occurred_at }: OrderEvent): void {
  line(`   ${occurred_at}  seq ${seq}  ${prior_status === null ? status : `${prior_status} -> ${status}`}`)
}

async function readFeed(asBuyer: Operations, after: string | undefined): Promise<EventFeed> {
  return (await asBuyer.readFeed({ query: { limit: 500, ...(after === undefined ? {} : { after }) } })).body
}
