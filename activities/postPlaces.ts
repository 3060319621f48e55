import { fairTurns } from '../src/domain/fairTurns.ts'
import { SLOW_MS } from '../src/domain/webhooks/nextPosts.ts'

/** The places for posts of one process, which tenants take in turns (architecture, Neighbors). */
export interface PostPlaces {
  /**
   * Resolves, when it is the tenant's turn, with the function that gives the place back. `made` counts the attempts before this one. Rejects when
   * the signal aborts first.
   */
  take(tenant: string, kind: { isSlow: boolean; made: number }, signal?: AbortSignal): Promise<() => void>
}

export interface PostPlacesOptions {
  /** For receivers that answer. A post that is out for a second gives its place back, so that a silent receiver holds none. */
  answering: { permits: number; perTenant: number }
  /**
   * For receivers that are slow: first attempts, and each of the two retries, which never wait behind first attempts. More for a retry than for a
   * first attempt, or one burst would make all that come after it late.
   */
  slow: { permits: number; perTenant: number }
  slowRetry: { permits: number; perTenant: number }
}

export function postPlaces({ answering, slow, slowRetry }: PostPlacesOptions): PostPlaces {
  const quick = fairTurns(answering)
  const byAttempt = [fairTurns(slow), fairTurns(slowRetry), fairTurns(slowRetry)] as const
  return {
    async take(tenant, { isSlow, made }, signal) {
      if (isSlow) return (byAttempt[made] ?? byAttempt[2]).take(tenant, signal)
      const giveBack = await quick.take(tenant, signal)
      const timer = setTimeout(giveBack, SLOW_MS)
      return () => {
        clearTimeout(timer)
        giveBack()
      }
    },
  }
}
