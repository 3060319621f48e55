import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimit, RateLimits } from '../../src/config/index.ts'
import type { Endpoint } from '../../src/contract/endpoints/endpoint.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { tokenBuckets } from '../../src/domain/tokenBuckets.ts'

/** Limits, each of which refuses with RATE_LIMITED and `retry_after`, in seconds (contract, Rate limits). */
export interface Limits {
  /** Counts a request against its credential. Many refusals per second of one credential are delayed by a pause. */
  request(rate: Endpoint['rate'], credentialId: string): Promise<void>
  /** Returns what is left to a credential, as headers of a reply; undefined if requests are not counted. */
  left(rate: Endpoint['rate'], credentialId: string): RateHeaders | undefined
  /** Delays the refusal of a request without a valid credential by a pause, if its source has sent many. Never refuses. */
  stranger(source: string): Promise<void>
  /** Counts a body's bytes against its tenant before they are read. */
  bytes(tenant: string, bytes: number): void
  /** Counts the milliseconds that reading a tenant's body took on the request loop. */
  work(tenant: string, milliseconds: number): void
  /** Returns whether a tenant has used up its share of the request loop. */
  hasWorkedMuch(tenant: string): boolean
}

/** The headers of a reply that say what may be sent: the quotas, and what is left of each (choices, Rate limits: headers). */
export interface RateHeaders {
  readonly 'RateLimit-Policy': string
  readonly RateLimit: string
}

/** Milliseconds of the request loop that reading one tenant's bodies may take: per second, and as a burst. */
const WORK: RateLimit = { perSecond: 50, burst: 100 }

/** Applies the rate limits of the choices, in memory and per process. Each credential has its own; busy operations have another one. */
export function rateLimiter(limits: RateLimits | undefined): Limits {
  if (limits === undefined) return UNLIMITED
  const all = limiter('requests', limits.requests)
  const work = tokenBuckets(WORK)
  const busy = {
    orders: limiter('orders', limits.orders),
    previews: limiter('previews', limits.previews),
    feed: limiter('feed', limits.feed),
  }
  const pause = { credential: pauses(), source: pauses() }
  return {
    async request(rate, credentialId) {
      try {
        all.take(credentialId)
        if (rate !== undefined) busy[rate].take(credentialId)
      } catch (error) {
        if (error instanceof Refusal) await pause.credential(credentialId)
        throw error
      }
    },
    left(rate, credentialId) {
      if (rate === undefined) return { 'RateLimit-Policy': all.policy, RateLimit: all.left(credentialId) }
      const own = busy[rate]
      return {
        'RateLimit-Policy': `${all.policy}, ${own.policy}`,
        RateLimit: `${all.left(credentialId)}, ${own.left(credentialId)}`,
      }
    },
    stranger: pause.source,
    bytes: byteRate(limits.bytes),
    work: work.spend,
    hasWorkedMuch: (tenant) => work.secondsUntil(tenant, 0) > 0,
  }
}

/** Requests of one credential, or of one source without any, that may be refused immediately: per second, and as a burst. */
const REFUSALS: RateLimit = { perSecond: 50, burst: 100 }
/** The pause before each further refusal, since a client that retries immediately would otherwise keep the request loop busy. */
const PAUSE_MS = 250

/** Resolves immediately, or after a pause for a key with more refusals than may be sent immediately. */
function pauses(): (key: string) => Promise<void> {
  const refusals = tokenBuckets(REFUSALS)
  return async (key) => {
    if (refusals.take(key, 1) > 0) await sleep(PAUSE_MS)
  }
}

const UNLIMITED: Limits = {
  request: () => Promise.resolve(),
  left: () => undefined,
  stranger: () => Promise.resolve(),
  bytes: () => undefined,
  work: () => undefined,
  hasWorkedMuch: () => false,
}

function byteRate(limit: RateLimit): Limits['bytes'] {
  const buckets = tokenBuckets(limit)
  return (tenant, bytes) => {
    const seconds = buckets.take(tenant, bytes)
    if (seconds > 0) throw tooMany({ limit: 'bytes', what: WHAT.bytes, whose: 'of this tenant' }, limit, seconds)
  }
}

/** A limit of each credential: a bucket of tokens, of which a request takes one. */
interface Limiter {
  /** Counts a request. RATE_LIMITED, by the name of the limit, if there is no token left. */
  take(credentialId: string): void
  /** The quota: the most at once, and the seconds in which so many come back. */
  readonly policy: string
  /** What is left of it, and the seconds until all of it is. */
  left(credentialId: string): string
}

function limiter(limit: keyof RateLimits, rate: RateLimit): Limiter {
  const buckets = tokenBuckets(rate)
  const { perSecond, burst } = rate
  return {
    take(credentialId) {
      const seconds = buckets.take(credentialId, 1)
      if (seconds > 0) throw tooMany({ limit, what: WHAT[limit], whose: 'with this credential' }, rate, seconds)
    },
    policy: `"${limit}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    left: (credentialId) =>
      `"${limit}";r=${Math.max(0, Math.floor(buckets.tokensOf(credentialId)))};t=${buckets.secondsUntil(credentialId, burst)}`,
  }
}

const WHAT: Readonly<Record<keyof RateLimits, string>> = {
  requests: 'requests',
  orders: 'requests that place orders',
  previews: 'previews and dry runs',
  feed: 'reads of the feed',
  bytes: 'bytes of bodies',
}

/** A limit in words. */
interface Told {
  readonly limit: string
  readonly what: string
  readonly whose: string
}

function tooMany({ limit, what, whose }: Told, { perSecond, burst }: RateLimit, retry_after: number): Refusal {
  const message = `Too many ${what} ${whose}: there may be ${perSecond} a second, ${burst} in a burst; try again in ${retry_after} s.`
  return overLimit({ limit, most: perSecond, window_s: 1, burst }, message, retry_after)
}
