import { openOwnClient } from '../../src/sdk/ownClient.ts'
import type { Stage } from './stage.ts'

export interface FeedFollower {
  /** Resolves once the seller's feed has shown the order in its review, at once if it has already. */
  reviews(orderId: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Follows the seller's feed as a client should, by `wait_s`, from its end: one that asked every 20 ms took more of the API's time than the orders it
 * asked about.
 */
export async function followFeed({ baseUrl, tokens }: Pick<Stage, 'baseUrl' | 'tokens'>): Promise<FeedFollower> {
  const leaving = new AbortController()
  const reader = openOwnClient({ baseUrl, token: tokens.seller, signal: leaving.signal })
  const filter = { statuses: ['seller_review' as const], limit: 500 }
  let after = (await reader.readFeed({ query: { ...filter, after: 'now' } })).body.next_cursor
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  const follow = async () => {
    while (!leaving.signal.aborted) {
      const { body } = await reader.readFeed({ query: { ...filter, after, wait_s: 20 } })
      after = body.next_cursor
      for (const event of body.events) {
        if (event.event_type !== 'order.status_changed') continue
        seen.add(event.order_id)
        waiting.get(event.order_id)?.()
        waiting.delete(event.order_id)
      }
    }
  }
  const following = follow().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return {
    async reviews(orderId) {
      if (seen.has(orderId)) return
      await Promise.race([new Promise<void>((resolve) => waiting.set(orderId, resolve)), following])
    },
    async stop() {
      leaving.abort()
      await following
    },
  }
}
