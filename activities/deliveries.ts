import { ApplicationFailure, log as activityLog, Context } from '@temporalio/activity'
import { nextDue } from '../src/store/deliveries.ts'
import { permits } from './permits.ts'
import { openRound, type PostDeps, type PostRound } from './postRound.ts'

/** The activities of this process, and its door for what was committed while they are at work. */
export interface PostOffice {
  /** Whether the endpoint's deliveries are being worked on in this very process, which then looks again: nobody need be woken. */
  ring(endpointId: string): boolean
  /** Nothing new is begun; what has begun is finished and written down. */
  close(): void
  activities: {
    /** Sends what an endpoint is due. Answers when its next attempt is (ISO UTC; null when nothing waits) and how many deliveries wait. */
    deliver(endpointId: string): Promise<DeliveryState>
  }
}

export interface DeliveryState {
  at: string | null
  waiting: number
}

export type DeliveryActivities = PostOffice['activities']

/** In all of a process, and how many of them receivers that are failing may hold (promises, Outbound calls). */
const IN_FLIGHT = 64
const IN_FLIGHT_FAILING = 32
/** Then the history gets a sign of life, and another worker its chance. */
const ROUND_MS = 60_000
const HEARTBEAT_MS = 2_000

export function openPostOffice(deps: Omit<PostDeps, 'permits'>): PostOffice {
  const shared = { ...deps, permits: permits(IN_FLIGHT, IN_FLIGHT_FAILING) }
  const rounds = new Map<string, PostRound>()
  const closing = new AbortController()
  return {
    ring: (endpointId) => {
      const round = rounds.get(endpointId)
      round?.ring()
      return round !== undefined
    },
    close: () => closing.abort(),
    activities: {
      async deliver(endpointId) {
        const context = Context.current()
        const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
        const stop = AbortSignal.any([closing.signal, context.cancellationSignal, AbortSignal.timeout(ROUND_MS)])
        const round = openRound(shared, endpointId)
        const leave = () => {
          if (rounds.get(endpointId) === round) rounds.delete(endpointId)
        }
        rounds.set(endpointId, round)
        try {
          await round.run(stop, leave)
          return await nextDue(deps.db, endpointId)
        } catch (error) {
          activityLog.warn('deliveries to an endpoint failed', { endpointId, error })
          throw ApplicationFailure.create({ message: 'see the log of the worker', type: 'unexpected' })
        } finally {
          leave()
          clearInterval(beating)
        }
      },
    },
  }
}
