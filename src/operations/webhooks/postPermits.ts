import { openTimeLimits } from '../../adapters/http/timeLimits.ts'
import { fairTurns } from '../../domain/fairTurns.ts'
import { SLOW_MS } from '../../domain/webhooks/nextPosts.ts'

/** The permits for posts of one process, which tenants take in turns (architecture, Neighbors). */
export interface PostPermits {
  /**
   * Resolves on the tenant's turn with a function that gives the permit back. `made` counts the earlier attempts. Rejects when the signal
   * aborts first.
   */
  take(tenant: string, kind: PostKind, signal?: AbortSignal): Promise<() => void>
  /** Takes a permit if it is already the tenant's turn; otherwise returns undefined, and nothing waits for one. */
  takeNow(tenant: string, kind: PostKind): (() => void) | undefined
}

export interface PostKind {
  readonly isSlow: boolean
  readonly made: number
}

export interface PostPermitsOptions {
  /** For receivers that answer. A post that lasts a second gives its permit back, so that a silent receiver holds none. */
  answering: { permits: number; perTenant: number }
  /**
   * For slow receivers: first attempts, and each of the two retries, which never wait behind first attempts. Retries get more permits than
   * first attempts, since otherwise one burst would delay all later ones.
   */
  slow: { permits: number; perTenant: number }
  slowRetry: { permits: number; perTenant: number }
}

export function openPostPermits({ answering, slow, slowRetry }: PostPermitsOptions): PostPermits {
  const quick = fairTurns(answering)
  const byAttempt = [fairTurns(slow), fairTurns(slowRetry), fairTurns(slowRetry)] as const
  const turnsOf = ({ isSlow, made }: PostKind) => (isSlow ? (byAttempt[made] ?? byAttempt[2]) : quick)
  const limits = openTimeLimits()
  /** Wraps the function so that a permit is given back automatically after a second, except a permit for slow receivers. */
  const withTimeLimit = (release: () => void, { isSlow }: PostKind) => {
    if (isSlow) return release
    const endLimit = limits.begin(SLOW_MS, release)
    return () => {
      endLimit()
      release()
    }
  }
  return {
    take: async (tenant, kind, signal) => withTimeLimit(await turnsOf(kind).take(tenant, signal), kind),
    takeNow: (tenant, kind) => {
      const release = turnsOf(kind).takeNow(tenant)
      return release && withTimeLimit(release, kind)
    },
  }
}
