import type { RateLimit } from '../src/config.ts'

/** A bucket of tokens for each key, as a tenant. A full bucket pays for any request and owes what the request costs beyond the burst. */
export interface TokenBuckets {
  /** Seconds until the key's bucket can pay for so many tokens; 0 when it can now. */
  secondsUntil(key: string, tokens: number): number
  spend(key: string, tokens: number): void
  /** How many keys are remembered: those whose bucket is not full, and for a while some whose bucket is full again. */
  readonly remembered: number
}

export function tokenBuckets({ perSecond, burst }: RateLimit, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const tokensOf = (key: string) => {
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now() }
    return Math.min(burst, tokens + ((now() - at) / 1_000) * perSecond)
  }
  return {
    secondsUntil: (key, tokens) => Math.max(0, Math.ceil((Math.min(tokens, burst) - tokensOf(key)) / perSecond)),
    spend(key, tokens) {
      const left = tokensOf(key) - tokens
      // Those that were spent from last come last. A full bucket is one that nobody has spent from.
      buckets.delete(key)
      buckets.set(key, { tokens: left, at: now() })
      const [oldest] = buckets.keys()
      if (oldest !== undefined && oldest !== key && tokensOf(oldest) >= burst) buckets.delete(oldest)
    },
    get remembered() {
      return buckets.size
    },
  }
}
