import { ApplicationFailure, log as activityLog, Context } from '@temporalio/activity'
import { nextDue } from '../src/store/delivery/deliveries.ts'
import { type PostPlacesOptions, postPlaces } from './postPlaces.ts'
import { openRound, type PostDeps, type PostRound } from './postRound.ts'

/** The activities of this process, and the wake signal for what is committed while they run. */
export interface WebhookDispatcher {
  /** Returns true if this process is already sending the endpoint's deliveries. It then looks again, and no run must be woken. */
  wake(endpointId: string): boolean
  /** Begins no post; posts under way are finished and recorded. */
  close(): void
  activities: {
    /**
     * Sends what an endpoint is due. Resolves with when its next attempt is (ISO UTC; null when nothing waits) and how many deliveries wait. When
     * the slots run short, it leaves endpoints that are slow to `deliverToSlow`, which has slots of its own.
     */
    deliver(endpointId: string): Promise<DeliveryState>
    /** The same for an endpoint that is slow. */
    deliverToSlow(endpointId: string): Promise<DeliveryState>
  }
}

export interface DeliveryState {
  at: string | null
  waiting: number
  /** Present when the rest is for `deliverToSlow`. */
  slow?: true
}

export type DeliveryActivities = WebhookDispatcher['activities']

/** The posts of one process. A hanging post costs a socket for five seconds; a retry's share holds what a tenant's fifty endpoints may have out. */
const PLACES: PostPlacesOptions = {
  answering: { permits: 128, perTenant: 64 },
  slow: { permits: 128, perTenant: 32 },
  slowRetry: { permits: 512, perTenant: 200 },
}
/** Of each queue. Each holds little while it waits for its receiver. */
export const ENDPOINTS_AT_ONCE = 1_024
/** Then the history gets a sign of life, and another worker its chance. */
const ROUND_MS = 60_000
const HEARTBEAT_MS = 2_000
/** Milliseconds until the next look at an endpoint whose secrets all fail to decrypt. A new secret wakes its run immediately. */
const UNSIGNED_MS = 600_000

export function openWebhookDispatcher(deps: Omit<PostDeps, 'places'>, { slots = ENDPOINTS_AT_ONCE } = {}): WebhookDispatcher {
  const shared = { ...deps, places: postPlaces(PLACES) }
  const rounds = new Map<string, PostRound>()
  const closing = new AbortController()

  let quick = 0
  const isCrowded = () => quick > slots / 2

  const work = async (endpointId: string, leavesSlow: () => boolean): Promise<DeliveryState> => {
    const context = Context.current()
    const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
    const stop = AbortSignal.any([closing.signal, context.cancellationSignal, AbortSignal.timeout(ROUND_MS)])
    const round = openRound(shared, { endpointId, stop, leavesSlow })
    const leave = () => {
      if (rounds.get(endpointId) === round) rounds.delete(endpointId)
    }
    rounds.set(endpointId, round)
    try {
      const { leftSlow, cannotSign } = await round.run(leave)
      const state = await nextDue(deps.db, endpointId)
      if (cannotSign && state.at !== null) return { ...state, at: new Date(Date.now() + UNSIGNED_MS).toISOString() }
      return leftSlow && state.at !== null ? { ...state, slow: true } : state
    } catch (error) {
      activityLog.warn('deliveries to an endpoint failed', { endpointId, error })
      throw ApplicationFailure.create({ message: 'see the log of the worker', type: 'unexpected' })
    } finally {
      leave()
      clearInterval(beating)
    }
  }

  return {
    wake: (endpointId) => {
      const round = rounds.get(endpointId)
      round?.wake()
      return round !== undefined
    },
    close: () => closing.abort(),
    activities: {
      async deliver(endpointId) {
        quick += 1
        return work(endpointId, isCrowded).finally(() => {
          quick -= 1
        })
      },
      deliverToSlow: (endpointId) => work(endpointId, () => false),
    },
  }
}
