import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit, RateLimits } from '../src/config.ts'
import { Refusal } from '../src/domain/refusal.ts'
import type { Endpoint } from './endpoint.ts'

/** Each refuses with RATE_LIMITED and `retry_after`, in seconds (spec, Errors: 429). */
export interface Limits {
  /** Counts a request against its credential. */
  request(row: Pick<Endpoint, 'rate'>, credentialId: string): Promise<void>
  /** Counts bytes of a body against its tenant, before they are read. */
  bytes(tenant: string, bytes: number): void
}

/** The limits of the choices, in memory and per process: a credential has its own, and a busy endpoint one beside it. */
export function rateLimiter(limits: RateLimits | undefined): Limits {
  if (limits === undefined) return { request: () => Promise.resolve(), bytes: () => undefined }
  const all = limiter('all', limits.requests)
  const busy = { orders: limiter('orders', limits.orders), feed: limiter('feed', limits.feed) }
  return {
    async request({ rate }, credentialId) {
      await consume(all, credentialId)
      if (rate !== undefined) await consume(busy[rate], credentialId)
    },
    bytes: byteRate(limits.bytes),
  }
}

/** A token bucket per tenant. One that is full lets a body of any size pass, and is then in debt for what the body has beyond the burst. */
export function byteRate({ perSecond, burst }: RateLimit, now: () => number = Date.now): Limits['bytes'] {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (tenant, bytes) => {
    const at = now()
    const bucket = buckets.get(tenant) ?? { tokens: burst, at }
    const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1_000) * perSecond)
    const lacking = Math.min(bytes, burst) - tokens
    if (lacking > 0) throw tooMany('bytes of bodies', Math.ceil(lacking / perSecond))
    buckets.set(tenant, { tokens: tokens - bytes, at })
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
    throw tooMany('requests', Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
  }
}

function tooMany(what: string, retry_after: number): Refusal {
  return new Refusal('RATE_LIMITED', `Too many ${what} with this credential: try again in ${retry_after} s.`, { retry_after })
}
