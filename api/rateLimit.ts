import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit, RateLimits } from '../src/config.ts'
import { Refusal } from '../src/domain/refusal.ts'
import type { Endpoint } from './endpoint.ts'

/** Counts a request against its credential, or refuses it with RATE_LIMITED and `retry_after`, in seconds (spec, Errors: 429). */
export type Limit = (row: Pick<Endpoint, 'rate'>, credentialId: string) => Promise<void>

/** The limits of the choices, in memory and per process: a credential has its own, and a busy endpoint one beside it. */
export function rateLimiter(limits: RateLimits | undefined): Limit {
  if (limits === undefined) return () => Promise.resolve()
  const all = limiter('all', limits.requests)
  const busy = { orders: limiter('orders', limits.orders), feed: limiter('feed', limits.feed) }
  return async ({ rate }, credentialId) => {
    await consume(all, credentialId)
    if (rate !== undefined) await consume(busy[rate], credentialId)
  }
}

/** Over this time a burst that was used up comes back. Seconds. */
const BURST_WINDOW = 10

function limiter(keyPrefix: string, { perSecond, burst }: RateLimit): BurstyRateLimiter {
  return new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix, points: perSecond, duration: 1 }),
    new RateLimiterMemory({ keyPrefix: `${keyPrefix}-burst`, points: Math.max(burst - perSecond, 0), duration: BURST_WINDOW }),
  )
}

async function consume(of: BurstyRateLimiter, credentialId: string): Promise<void> {
  try {
    await of.consume(credentialId)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const retry_after = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    throw new Refusal('RATE_LIMITED', `Too many requests with this credential: try again in ${retry_after} s.`, { retry_after })
  }
}
