/** The pure rule for which deliveries of an endpoint to post now (choices, Receivers that fail). */

/** Concurrent posts to one endpoint (architecture, Outbound calls). */
export const MAX_CONCURRENT = 4
/** Milliseconds after which an open post may never be answered. */
export const SLOW_MS = 1_000

/** A delivery that waits for its next attempt. */
export interface WaitingPost {
  /** Attempts made so far. */
  made: number
  order_id: string | null
}

/** A post in progress; `at` is when it was sent (milliseconds since 1970), undefined while it waits for its turn. */
export interface OpenPost extends WaitingPost {
  at: number | undefined
}

/** The recent behavior of an endpoint. */
export interface EndpointPace {
  /** True while every recent attempt has failed. */
  isFailing: boolean
  /** The result of the last post in this round. */
  last: 'delivered' | 'failed' | undefined
  /** Milliseconds until the last answer or timeout; undefined if unknown. */
  lastTook: number | undefined
  out: readonly OpenPost[]
}

/** Returns true if a post may block its slot until it times out. A failing endpoint without other data counts as slow. */
export function isSlow({ isFailing, lastTook, out }: EndpointPace, now: number): boolean {
  if (out.some(({ at }) => at !== undefined && now - at > SLOW_MS)) return true
  return lastTook === undefined ? isFailing : lastTook > SLOW_MS
}

/**
 * Returns the deliveries of its queue to post now, in order. Retries do not wait. Events of one order are sent one after another, each after the
 * first attempt of the one before. Until an endpoint has succeeded it gets one new delivery at a time, so many silent endpoints cannot take every
 * slot.
 */
export function nextPosts<Waiting extends WaitingPost>(pace: EndpointPace & { queue: readonly Waiting[] }, now: number): Waiting[] {
  if (pace.out.length === MAX_CONCURRENT) return []
  const open = pace.out.filter(({ made }) => made === 0)
  const busyOrders = open.map(({ order_id }) => order_id)
  let firsts = mostFirsts(pace, now) - open.length
  const posts: Waiting[] = []
  for (const waiting of pace.queue) {
    if (pace.out.length + posts.length === MAX_CONCURRENT) break
    const { made, order_id } = waiting
    if (made === 0) {
      if (firsts <= 0 || (order_id !== null && busyOrders.includes(order_id))) continue
      firsts -= 1
      busyOrders.push(order_id)
    }
    posts.push(waiting)
  }
  return posts
}

/** Returns true if a new delivery could begin. */
export function hasRoomForFirst(pace: EndpointPace, now: number): boolean {
  return pace.out.length < MAX_CONCURRENT && pace.out.filter(({ made }) => made === 0).length < mostFirsts(pace, now)
}

function mostFirsts(pace: EndpointPace, now: number): number {
  return pace.last === 'delivered' && !pace.isFailing && !isSlow(pace, now) ? MAX_CONCURRENT : 1
}
