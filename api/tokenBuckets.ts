import type { RateLimit } from '../src/config.ts'

/** A bucket of tokens per tenant. A full bucket pays for any request and owes what the request costs beyond the burst. */
export interface TokenBuckets {
  /** Seconds until the tenant's bucket can pay for so many tokens; 0 when it can now. */
  secondsUntil(tenant: string, tokens: number): number
  spend(tenant: string, tokens: number): void
}

export function tokenBuckets({ perSecond, burst }: RateLimit, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const tokensOf = (tenant: string) => {
    const { tokens, at } = buckets.get(tenant) ?? { tokens: burst, at: now() }
    return Math.min(burst, tokens + ((now() - at) / 1_000) * perSecond)
  }
  return {
    secondsUntil: (tenant, tokens) => Math.max(0, Math.ceil((Math.min(tokens, burst) - tokensOf(tenant)) / perSecond)),
    spend: (tenant, tokens) => void buckets.set(tenant, { tokens: tokensOf(tenant) - tokens, at: now() }),
  }
}
