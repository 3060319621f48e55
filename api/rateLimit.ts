import { setTimeout as sleep } from 'node:timers/promises'
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit, RateLimits } from '../src/config.ts'
import type { Endpoint } from '../src/contract/endpoints/endpoint.ts'
import { overLimit } from '../src/domain/overLimit.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { tokenBuckets } from '../src/tokenBuckets.ts'

/** Limits, each of which refuses with RATE_LIMITED and `retry_after`, in seconds (contract, Rate limits). */
export interface Limits {
  /** Counts a request against its credential. Many refusals per second of one credential are delayed by a pause. */
  request(row: Pick<Endpoint, 'rate'>, credentialId: string): Promise<void>
  /** Delays the refusal of a request without a valid credential by a pause, if its source has sent many. Never refuses. */
  stranger(source: string): Promise<void>
  /** Counts a body's bytes against its tenant before they are read. */
  bytes(tenant: string, bytes: number): void
  /** Counts the milliseconds that reading a tenant's body took on the request loop. */
  work(tenant: string, milliseconds: number): void
  /** Returns whether a tenant has used up its share of the request loop. */
  hasWorkedMuch(tenant: string): boolean
}

/** Milliseconds of the request loop that reading one tenant's bodies may take: per second, and as a burst. */
const WORK: RateLimit = { perSecond: 50, burst: 100 }

/** Applies the rate limits of the choices, in memory and per process. Each credential has its own; busy endpoints have another one. */
export function rateLimiter(limits: RateLimits | undefined): Limits {
  if (limits === undefined) return UNLIMITED
  const all = limiter('requests', limits.requests)
  const work = tokenBuckets(WORK)
  const busy = { orders: limiter('orders', limits.orders), feed: limiter('feed', limits.feed) }
  const pause = { credential: pauses(), source: pauses() }
  const admit = async ({ rate }: Pick<Endpoint, 'rate'>, credentialId: string) => {
    await all(credentialId)
    if (rate !== undefined) await busy[rate](credentialId)
  }
  return {
    async request(row, credentialId) {
      try {
        await admit(row, credentialId)
      } catch (error) {
        if (error instanceof Refusal) await pause.credential(credentialId)
        throw error
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
    if (refusals.secondsUntil(key, 1) > 0) await sleep(PAUSE_MS)
    else refusals.spend(key, 1)
  }
}

const UNLIMITED: Limits = {
  request: () => Promise.resolve(),
  stranger: () => Promise.resolve(),
  bytes: () => undefined,
  work: () => undefined,
  hasWorkedMuch: () => false,
}

function byteRate(limit: RateLimit): Limits['bytes'] {
  const buckets = tokenBuckets(limit)
  return (tenant, bytes) => {
    const seconds = buckets.secondsUntil(tenant, bytes)
    if (seconds > 0) throw tooMany({ limit: 'bytes', what: WHAT.bytes, whose: 'of this tenant' }, limit, seconds)
    buckets.spend(tenant, bytes)
  }
}

/** The time, in seconds, after which a used-up burst is available again. */
const BURST_WINDOW = 10

function burstyLimiter(keyPrefix: string, { perSecond, burst }: RateLimit): BurstyRateLimiter {
  return new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix, points: perSecond, duration: 1 }),
    new RateLimiterMemory({ keyPrefix: `${keyPrefix}-burst`, points: Math.max(burst - perSecond, 0), duration: BURST_WINDOW }),
  )
}

/** Counts a request of a credential against a limit, which is named in refusals. */
function limiter(limit: keyof RateLimits, rate: RateLimit): (credentialId: string) => Promise<void> {
  const bursty = burstyLimiter(limit, rate)
  return async (credentialId) => {
    try {
      await bursty.consume(credentialId)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw tooMany({ limit, what: WHAT[limit], whose: 'with this credential' }, rate, Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
    }
  }
}

const WHAT: Readonly<Record<keyof RateLimits, string>> = {
  requests: 'requests',
  orders: 'requests that place or preview orders',
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
