import { ATTEMPT_TIMES } from '../../domain/webhooks/attempts.ts'
import { nextDue, type Waiting } from '../../store/delivery/endpointSenders.ts'
import { attemptWriter } from './attemptWriter.ts'
import { type Elapsed, openEndpointSenders, type WorkOutcome } from './endpointSenders.ts'
import { openPostPermits, type PostPermitsOptions } from './postPermits.ts'
import type { PostDeps, Progress } from './postRound.ts'

/** Sends deliveries in this process. */
export interface WebhookDispatcher {
  /** Makes the sender of an endpoint look again, if it is in this process. */
  wake(endpointId: string): void
  /**
   * Sends an endpoint's deliveries as long as there are any and for some seconds more, or waits for the sender of this process that is
   * already doing so. Once `stop` aborts, no further post starts. Fails if the database does.
   */
  deliver(endpointId: string, stop: AbortSignal): Promise<DeliveryState>
  /** Returns what the sending in progress has done so far, if there is one. */
  progress(endpointId: string): Readonly<Progress> | undefined
  /** Starts no more posts; resolves when the posts in progress are finished and recorded. */
  close(): Promise<void>
}

/** What was sent, and what is left: when the next attempt is due (ISO UTC; null when nothing waits), and what a run waits for until then. */
export interface DeliveryState extends Progress {
  at: string | null
  next?: string
}

/** The posts of one process. A hanging post costs a socket for 5 s; a retry's share covers all posts of a tenant's fifty endpoints. */
const PERMITS: PostPermitsOptions = {
  answering: { permits: 128, perTenant: 64 },
  slow: { permits: 128, perTenant: 32 },
  slowRetry: { permits: 512, perTenant: 200 },
}
/** Milliseconds until the next look at an endpoint whose secrets all fail to decrypt. A new secret wakes its run immediately. */
const UNSIGNED_MS = 600_000
/** Milliseconds until a run looks again at an endpoint that another process is sending to. */
const ELSEWHERE_MS = 2_000

export function openWebhookDispatcher(
  deps: Omit<PostDeps, 'postPermits' | 'writer'>,
  { elapsed }: { elapsed?: Elapsed } = {},
): WebhookDispatcher {
  const senders = openEndpointSenders({ ...deps, postPermits: openPostPermits(PERMITS), writer: attemptWriter(deps.db) }, elapsed)
  /** Makes a sender in progress look again and waits for it, or starts one. */
  const send = (endpointId: string, stop: AbortSignal): Promise<WorkOutcome> => {
    const inProgress = senders.inProgress(endpointId)
    if (inProgress === undefined) return senders.send(endpointId, stop)
    senders.wake(endpointId)
    return inProgress
  }
  return {
    wake: senders.wake,
    progress: senders.progress,
    close: senders.close,
    deliver: async (endpointId, stop) => {
      const outcome = await send(endpointId, stop)
      if ('elsewhereMs' in outcome) {
        const state = stateOf({ ...(await nextDue(deps.db, endpointId)), delivered: 0, last_status: null })
        // The other may be dead: until its lease ends, whatever comes is left to it.
        const at = outcome.elsewhereMs > 0 ? (state.at ?? new Date().toISOString()) : state.at
        return notBefore({ ...state, at }, ELSEWHERE_MS, 'another worker sends')
      }
      return outcome.cannotSign ? notBefore(stateOf(outcome), UNSIGNED_MS, 'no secret can sign') : stateOf(outcome)
    },
  }
}

function stateOf({ at, made, delivered, waiting, last_status }: Waiting & Progress): DeliveryState {
  const attempts = ATTEMPT_TIMES.waitsMs.length + 1
  return { at, delivered, waiting, last_status, ...(at !== null && made > 0 ? { next: `retry ${made + 1} of ${attempts}` } : {}) }
}

/** Returns the state with its next look at least so many milliseconds from now. */
function notBefore(state: DeliveryState, milliseconds: number, next: string): DeliveryState {
  if (state.at === null) return state
  return { ...state, at: new Date(Math.max(Date.parse(state.at), Date.now() + milliseconds)).toISOString(), next }
}
