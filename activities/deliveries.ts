import { ApplicationFailure, log as activityLog, Context } from '@temporalio/activity'
import { type Elsewhere, nextDue } from '../src/store/delivery/endpointSenders.ts'
import { attemptWriter } from './attemptWriter.ts'
import { type Elapsed, type EndpointSenders, type Outcome, openEndpointSenders } from './endpointSenders.ts'
import { type PostPlacesOptions, postPlaces } from './postPlaces.ts'
import type { PostDeps } from './postRound.ts'

/** Sends deliveries in this process: directly, when the relay asks, and as activities, when a run has to wait. */
export interface WebhookDispatcher {
  /** Returns true if this process is already sending the endpoint's deliveries. It then looks again, and no run must be woken. */
  wake(endpointId: string): boolean
  /**
   * Sends an endpoint's due deliveries right here, without Temporal. Returns undefined when all slots are taken, so that the caller wakes
   * the endpoint's run. Resolves with what is left to do. Fails if the database does.
   */
  send(endpointId: string): Promise<Left> | undefined
  /** Starts no more posts; resolves when the posts in progress are finished and recorded. */
  close(): Promise<void>
  activities: {
    /**
     * Sends an endpoint's due deliveries, or waits for the sender of this process that is already doing so. Resolves with the time of its
     * next attempt (ISO UTC; null when nothing waits) and the number of waiting deliveries. When slots run short, it leaves slow endpoints
     * to `deliverToSlow`, which has its own slots.
     */
    deliver(endpointId: string): Promise<DeliveryState>
    /** Does the same for a slow endpoint. */
    deliverToSlow(endpointId: string): Promise<DeliveryState>
  }
}

/** Nothing waits; a `run` must time the rest; this process `ends` and another continues; or another process has the endpoint. */
export type Left = 'nothing' | 'run' | 'ends' | Elsewhere

export interface DeliveryState {
  at: string | null
  waiting: number
  /** Present when `deliverToSlow` must send the rest. */
  slow?: true
}

export type DeliveryActivities = WebhookDispatcher['activities']

/** The posts of one process. A hanging post costs a socket for 5 s; a retry's share covers all posts of a tenant's fifty endpoints. */
const PLACES: PostPlacesOptions = {
  answering: { permits: 128, perTenant: 64 },
  slow: { permits: 128, perTenant: 32 },
  slowRetry: { permits: 512, perTenant: 200 },
}
/** The limit of each queue, and of sending without a run. An endpoint takes little memory while it waits for its receiver. */
export const ENDPOINTS_AT_ONCE = 1_024
const HEARTBEAT_MS = 2_000
/** Milliseconds until the next look at an endpoint whose secrets all fail to decrypt. A new secret wakes its sender immediately. */
const UNSIGNED_MS = 600_000
/** Milliseconds until a run looks again at an endpoint that another process is sending to. */
const ELSEWHERE_MS = 2_000

export interface DispatcherOptions {
  /** The most endpoints to which this process sends concurrently without a run. */
  slots?: number
  elapsed?: Elapsed
}

export function openWebhookDispatcher(
  deps: Omit<PostDeps, 'places' | 'writer'>,
  { slots = ENDPOINTS_AT_ONCE, elapsed }: DispatcherOptions = {},
): WebhookDispatcher {
  const senders = openEndpointSenders({ ...deps, places: postPlaces(PLACES), writer: attemptWriter(deps.db) }, elapsed)
  let isClosing = false
  /** The number of endpoints that are being sent to without a run. */
  let sent = 0
  let quick = 0
  const isCrowded = () => quick > slots / 2
  const quickly = (endpointId: string, stop?: AbortSignal): Promise<Outcome> => {
    quick += 1
    return senders.send(endpointId, { ...(stop && { stop }), leavesSlow: isCrowded }).finally(() => {
      quick -= 1
    })
  }
  const slowly = (endpointId: string, stop: AbortSignal) => senders.send(endpointId, { stop, leavesSlow: () => false })
  const run = async (endpointId: string, send: (endpointId: string, stop: AbortSignal) => Promise<Outcome>): Promise<DeliveryState> => {
    const context = Context.current()
    const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
    try {
      return await stateAfter(endpointId, await underOr(senders, endpointId, () => send(endpointId, context.cancellationSignal)))
    } catch (error) {
      activityLog.warn('deliveries to an endpoint failed', { endpointId, error })
      throw ApplicationFailure.create({ message: 'see the log of the worker', type: 'unexpected' })
    } finally {
      clearInterval(beating)
    }
  }
  const stateAfter = async (endpointId: string, outcome: Outcome): Promise<DeliveryState> => {
    if ('elsewhereMs' in outcome) return notBefore(await nextDue(deps.db, endpointId), ELSEWHERE_MS)
    const { leftSlow, cannotSign, ...state } = outcome
    if (cannotSign) return notBefore(state, UNSIGNED_MS)
    return leftSlow && state.at !== null ? { ...state, slow: true } : state
  }

  return {
    wake: senders.wake,
    send: (endpointId) => {
      if (isClosing || sent >= slots) return undefined
      sent += 1
      return quickly(endpointId)
        .finally(() => {
          sent -= 1
        })
        .then((outcome): Left => {
          if ('elsewhereMs' in outcome) return outcome
          if (outcome.at === null) return 'nothing'
          return isClosing ? 'ends' : 'run'
        })
    },
    close: () => {
      isClosing = true
      return senders.close()
    },
    activities: { deliver: (endpointId) => run(endpointId, quickly), deliverToSlow: (endpointId) => run(endpointId, slowly) },
  }
}

/** Makes a sender in progress look again and waits for it, or starts one. */
async function underOr(senders: EndpointSenders, endpointId: string, send: () => Promise<Outcome>): Promise<Outcome> {
  const under = senders.under(endpointId)
  if (under === undefined) return send()
  senders.wake(endpointId)
  return under
}

/** Returns the state with its next look at least so many milliseconds from now. */
function notBefore({ at, waiting }: DeliveryState, milliseconds: number): DeliveryState {
  return { at: at && new Date(Math.max(Date.parse(at), Date.now() + milliseconds)).toISOString(), waiting }
}
