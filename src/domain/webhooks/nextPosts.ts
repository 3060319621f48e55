/** Which of an endpoint's deliveries to post now: the rule of a sender, without a clock and without the network (choices, Receivers that fail). */

/** Posts at once to one endpoint (architecture, Outbound calls). */
export const AT_ONCE = 4
/** A post that is out for longer may be one that is never answered. */
export const SLOW_MS = 1_000

/** A delivery that waits for its next attempt. */
export interface WaitingPost {
  /** Attempts so far. */
  made: number
  order_id: string | null
}

/** A post that has begun; `at` is when it left (milliseconds since 1970), undefined while it waits for its turn. */
export interface OpenPost extends WaitingPost {
  at: number | undefined
}

/** What a sender knows of an endpoint. */
export interface EndpointPace {
  /** Every attempt has failed since some time. */
  isFailing: boolean
  /** What the last post came to, in this round. */
  last: 'delivered' | 'failed' | undefined
  /** Milliseconds of the last answer, or of the time-out; undefined when nothing is known. */
  lastTook: number | undefined
  out: readonly OpenPost[]
}

/** Whether a post may be one that holds its place until it times out. A failing endpoint of which nothing else is known counts as slow. */
export function isSlow({ isFailing, lastTook, out }: EndpointPace, now: number): boolean {
  if (out.some(({ at }) => at !== undefined && now - at > SLOW_MS)) return true
  return lastTook === undefined ? isFailing : lastTook > SLOW_MS
}

/**
 * Of `queue`, in its order, what to post now. Retries wait for nobody. Events of one order go one after another, each when the one before was
 * tried; and until an endpoint has answered well it gets one new delivery at a time: many that fall silent at once must not take every place.
 */
export function nextPosts<Waiting extends WaitingPost>(queue: readonly Waiting[], pace: EndpointPace, now: number): Waiting[] {
  const open = pace.out.filter(({ made }) => made === 0)
  const busyOrders = new Set(open.map(({ order_id }) => order_id))
  let firsts = mostFirsts(pace, now) - open.length
  const posts: Waiting[] = []
  for (const waiting of queue) {
    if (pace.out.length + posts.length === AT_ONCE) break
    const { made, order_id } = waiting
    if (made === 0) {
      if (firsts <= 0 || (order_id !== null && busyOrders.has(order_id))) continue
      firsts -= 1
      busyOrders.add(order_id)
    }
    posts.push(waiting)
  }
  return posts
}

/** Whether a new delivery could begin if there were one. */
export function hasRoomForFirst(pace: EndpointPace, now: number): boolean {
  return pace.out.length < AT_ONCE && pace.out.filter(({ made }) => made === 0).length < mostFirsts(pace, now)
}

function mostFirsts(pace: EndpointPace, now: number): number {
  return pace.last === 'delivered' && !pace.isFailing && !isSlow(pace, now) ? AT_ONCE : 1
}
