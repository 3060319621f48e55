import type { Outbound } from '../src/adapters/outboundCall.ts'
import { postWebhook } from '../src/adapters/webhookSender.ts'
import { afterAttempt, attemptTime } from '../src/domain/webhooks/attempts.ts'
import { isSlow, nextPosts } from '../src/domain/webhooks/nextPosts.ts'
import {
  begun,
  claimed,
  departed,
  ended,
  isLookDue,
  looking,
  newRound,
  restOf,
  takesNew,
  withEndpoint,
  withMore,
} from '../src/domain/webhooks/round.ts'
import type { Written } from '../src/store/delivery/attempts.ts'
import type { DueDelivery } from '../src/store/delivery/deliveries.ts'
import type { Receiver } from '../src/store/delivery/webhookEndpoints.ts'
import { type LedgerDeps, openLedger } from './endpointLedger.ts'
import type { PostPlaces } from './postPlaces.ts'
import { newWakeSignal } from './wakeSignal.ts'

export interface PostDeps extends LedgerDeps {
  outbound: Outbound
  places: PostPlaces
}

/** One endpoint's deliveries, while one sender works on them. */
export interface PostRound {
  /** There may be more to be sent. */
  wake(): void
  /**
   * Sends what is due and what comes due meanwhile, its own retries included, until nothing is left to do.
   * Calls `onLeave` at the moment when it stops reacting to wake signals. Every attempt is recorded by the end; fails if a claim or
   * that write fails. Resolves with whether it left because the endpoint is slow, and whether all of its secrets failed to decrypt.
   */
  run(onLeave: () => void): Promise<{ leftSlow: boolean; cannotSign: boolean }>
}

export interface RoundOptions {
  endpointId: string
  /** Once it aborts, no post begins; posts under way are finished and recorded. */
  stop: AbortSignal
  /** Asked before each post; false is for ever. */
  mayBegin(): boolean
  /** Asked while the endpoint is slow: whether the round is to begin nothing more, because its slot is wanted. */
  leavesSlow(): boolean
}

export function openRound({ outbound, places, ...deps }: PostDeps, { endpointId, stop, mayBegin, leavesSlow }: RoundOptions): PostRound {
  let round = newRound<DueDelivery>()
  let failure: unknown
  const change = newWakeSignal()
  const fail = (error: unknown) => {
    failure ??= error
    change.wake()
  }
  const onReceiver = (receiver: Receiver | undefined) => {
    round = withEndpoint(round, receiver)
  }
  const ledger = openLedger(deps, endpointId, { onReceiver, onRest: change.wake, onFailure: fail })

  const look = async (): Promise<void> => {
    const isNewTaken = takesNew(round)
    round = looking(round, Date.now())
    const found = await ledger.look(isNewTaken)
    round = found === undefined ? withMore(round) : claimed(round, found.due, found.isFull)
  }

  const begin = (receiver: Receiver): void => {
    const posts = nextPosts(round, Date.now())
    if (posts.length === 0) return
    round = begun(round, posts)
    for (const due of posts) void post(due, receiver).catch(fail)
  }

  const post = async (due: DueDelivery, receiver: Receiver): Promise<void> => {
    let written: Written | undefined
    // It stays pending when the round stops before it is the delivery's turn.
    const giveBack = await places.take(receiver.tenant, { isSlow: isSlow(round, Date.now()), made: due.made }, stop).catch(() => undefined)
    try {
      if (giveBack !== undefined && mayBegin()) {
        const at = Date.now()
        round = departed(round, due, at)
        written = await attempt(outbound, due, receiver, at)
      }
    } finally {
      round = ended(round, due, written)
      giveBack?.()
    }
    if (written !== undefined) ledger.write(written)
    change.wake()
  }

  return {
    wake: () => {
      round = withMore(round)
      change.wake()
    },
    run: async (onLeave) => {
      stop.addEventListener('abort', change.wake, { once: true })
      for (let leftSlow = false; ; ) {
        const isEnding = !mayBegin() || failure !== undefined || leftSlow
        if (!isEnding && isLookDue(round, Date.now())) await look().catch(fail)
        const receiver = ledger.receiver()
        leftSlow ||= receiver !== undefined && isSlow(round, Date.now()) && leavesSlow()
        if (!isEnding && !leftSlow && receiver !== undefined) begin(receiver)
        const isWriting = ledger.isWriting()
        const rest = restOf(round, Date.now(), { isWriting, isEnding: isEnding || leftSlow })
        if (rest === 'leave') {
          onLeave()
          stop.removeEventListener('abort', change.wake)
          if (failure !== undefined) throw failure
          return { leftSlow, cannotSign: receiver?.secrets.length === 0 }
        }
        if (rest.ms !== 0) await change.wait(rest.ms)
      }
    },
  }
}

/** One attempt that begins at `at`. Too late, after a wait for a worker or a turn, is the end of it. */
async function attempt(outbound: Outbound, due: DueDelivery, { url, secrets }: Receiver, at: number): Promise<Written> {
  const deadline = attemptTime(due.firstAt, at)
  if (due.body === null) return { due, attempt: undefined, status: 'dropped', reason: 'event_missing', dueAt: at }
  if (deadline === undefined) return { due, attempt: undefined, status: 'dropped', reason: 'too_late', dueAt: at }
  const answer = await postWebhook(outbound, {
    url,
    secrets,
    eventId: due.event_id,
    body: due.body,
    deadline,
    traceparent: due.traceparent,
  })
  const { latency_ms, ...outcome } = answer
  const { status, reason, due: dueAt } = afterAttempt(due.made + 1, outcome.status_code, at + latency_ms)
  return { due, attempt: { at: new Date(at).toISOString(), ...outcome, latency_ms }, status, reason, dueAt }
}
