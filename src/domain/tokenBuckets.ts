/** How fast a bucket fills, in tokens a second, and how many it holds. */
export interface Refill {
  readonly perSecond: number
  readonly burst: number
}

/** One bucket of tokens per key, such as a tenant. A full bucket pays for any request and owes its cost beyond the burst. */
export interface TokenBuckets {
  /** Returns the seconds until the key's bucket can pay for so many tokens; 0 if it can now. */
  secondsUntil(key: string, tokens: number): number
  spend(key: string, tokens: number): void
  /** Spends the tokens if the key's bucket can pay for them now. Returns the seconds until it can; 0 if it has paid. */
  take(key: string, tokens: number): number
  /** The tokens in the key's bucket; below 0 if it owes some. */
  tokensOf(key: string): number
  /** The number of remembered keys: those whose buckets are not full, and for a while some whose buckets are full again. */
  readonly remembered: number
}

export function tokenBuckets({ perSecond, burst }: Refill, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const tokensOf = (key: string) => {
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now() }
    return Math.min(burst, tokens + ((now() - at) / 1_000) * perSecond)
  }
  const secondsUntil = (key: string, tokens: number) => Math.max(0, Math.ceil((Math.min(tokens, burst) - tokensOf(key)) / perSecond))
  const spend = (key: string, tokens: number) => {
    const left = tokensOf(key) - tokens
    // The buckets spent from last come last. A full bucket can be forgotten, since an unknown key also counts as full.
    buckets.delete(key)
    buckets.set(key, { tokens: left, at: now() })
    const [oldest] = buckets.keys()
    if (oldest !== undefined && oldest !== key && tokensOf(oldest) >= burst) buckets.delete(oldest)
  }
  return {
    tokensOf,
    secondsUntil,
    spend,
    take(key, tokens) {
      const seconds = secondsUntil(key, tokens)
      if (seconds === 0) spend(key, tokens)
      return seconds
    },
    get remembered() {
      return buckets.size
    },
  }
}
