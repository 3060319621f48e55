import { openTimeLimits } from '../src/adapters/timeLimits.ts'
import { fairTurns } from '../src/domain/fairTurns.ts'
import { SLOW_MS } from '../src/domain/webhooks/nextPosts.ts'

/** The places for posts of one process, which tenants take in turns (architecture, Neighbors). */
export interface PostPlaces {
  /**
   * Resolves, when it is the tenant's turn, with the function that gives the place back. `made` counts the attempts before this one. Rejects when
   * the signal aborts first.
   */
  take(tenant: string, kind: PlaceKind, signal?: AbortSignal): Promise<() => void>
  /** The same where it is the tenant's turn already; undefined if it is not, and then nothing waits for it. */
  takeNow(tenant: string, kind: PlaceKind): (() => void) | undefined
}

export interface PlaceKind {
  readonly isSlow: boolean
  readonly made: number
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
  const turnsOf = ({ isSlow, made }: PlaceKind) => (isSlow ? (byAttempt[made] ?? byAttempt[2]) : quick)
  const limits = openTimeLimits()
  /** Given back by itself after a second, unless it is one of those for slow receivers. */
  const lent = (giveBack: () => void, { isSlow }: PlaceKind) => {
    if (isSlow) return giveBack
    const endLimit = limits.begin(SLOW_MS, giveBack)
    return () => {
      endLimit()
      giveBack()
    }
  }
  return {
    take: async (tenant, kind, signal) => lent(await turnsOf(kind).take(tenant, signal), kind),
    takeNow: (tenant, kind) => {
      const giveBack = turnsOf(kind).takeNow(tenant)
      return giveBack && lent(giveBack, kind)
    },
  }
}
