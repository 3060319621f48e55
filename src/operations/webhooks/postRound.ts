import { AsyncResource } from 'node:async_hooks'
import type { Outbound } from '../../adapters/http/outboundCall.ts'
import { postWebhook, type WebhookAnswer, type WebhookPost } from '../../adapters/http/webhookSender.ts'
import { type AttemptTimes, afterAttempt, attemptTime } from '../../domain/webhooks/attempts.ts'
import { isSlow, nextPosts } from '../../domain/webhooks/nextPosts.ts'
import {
  claimed,
  ended,
  isLookDue,
  looking,
  type NextStep,
  newRound,
  nextStepOf,
  STAY_MS,
  sent,
  started,
  takesNew,
  waitingIn,
  withEndpoint,
  withMore,
} from '../../domain/webhooks/round.ts'
import type { Written } from '../../store/delivery/attempts.ts'
import type { DueDelivery } from '../../store/delivery/deliveries.ts'
import type { Receiver } from '../../store/delivery/webhookEndpoints.ts'
import { type LedgerDeps, openLedger } from './endpointLedger.ts'
import type { PostPermits } from './postPermits.ts'

export interface PostDeps extends LedgerDeps {
  outbound: Outbound
  postPermits: PostPermits
  /** Default ATTEMPT_TIMES. */
  times?: AttemptTimes
  /** How long a sender stays after it has sent something. Default STAY_MS. */
  stayMs?: number
}

/** The deliveries of one endpoint, while one sender works on them. */
export interface PostRound {
  /** Tells the round that there may be more to send. */
  wake(): void
  /**
   * Sends what is due and what becomes due meanwhile, until nothing was left to do for some time. Calls `onLeave` at the moment when it
   * stops reacting to wake signals. Every attempt is recorded by the end; fails if a claim or that write fails. Resolves with whether all
   * secrets of the endpoint failed to decrypt.
   */
  run(onLeave: () => void): Promise<{ cannotSign: boolean }>
}

export interface RoundOptions {
  endpointId: string
  /** Once it aborts, no further post starts; posts in progress are finished and recorded. */
  stop: AbortSignal
  /** Called before each post; once it has returned false, it always does. */
  mayBegin(): boolean
  /** Counts what the round does. */
  progress: Progress
}

/** What was sent to an endpoint: how many deliveries arrived, how many are left, and what came of the last post. */
export interface Progress {
  delivered: number
  waiting: number
  /** A status of HTTP, or a word for what went wrong; null if nothing was posted. */
  last_status: number | string | null
}

/**
 * Opens a round. Each event takes the next turn itself, instead of waking a waiting loop, since this process tracks contexts for Temporal's
 * activities, which makes each promise cost as much as half a signature.
 */
export function openRound(
  { outbound, postPermits, times, stayMs = STAY_MS, ...deps }: PostDeps,
  { endpointId, stop, mayBegin, progress }: RoundOptions,
): PostRound {
  let round = newRound<DueDelivery>()
  let failure: unknown
  /** Whether something has happened since the last turn began. */
  let isWoken = false
  let isTurning = false
  /** Ends the run; undefined before and after the run. */
  let leave: (() => void) | undefined

  const turn = (): void => {
    isWoken = true
    if (!isTurning) void takeTurns()
  }
  const takeTurns = async (): Promise<void> => {
    isTurning = true
    try {
      while (isWoken && leave !== undefined) {
        isWoken = false
        if (!isEnding() && isLookDue(round, Date.now())) await look().catch(fail)
        const rest = proceed()
        if (rest === 'leave') leave()
        else if (rest.ms === 0) isWoken = true
        else if (rest.ms !== undefined) alarm.set(rest.ms)
      }
    } catch (error) {
      failure ??= error
      leave?.()
    }
    isTurning = false
  }
  const fail = (error: unknown) => {
    failure ??= error
    turn()
  }
  const isEnding = () => !mayBegin() || failure !== undefined
  const alarm = newAlarm(turn)
  const onReceiver = (receiver: Receiver | undefined) => {
    round = withEndpoint(round, receiver)
  }
  const ledger = openLedger(deps, endpointId, { onReceiver, onRest: turn, onFailure: fail })

  const look = async (): Promise<void> => {
    const isNewTaken = takesNew(round)
    round = looking(round, Date.now())
    const found = await ledger.look(isNewTaken)
    round = found === undefined ? withMore(round) : claimed(round, found.due, found.isFull)
  }

  /** Starts the posts that may start, and returns what must happen next. */
  const proceed = (): NextStep => {
    const receiver = ledger.receiver()
    if (!isEnding() && receiver !== undefined) begin(receiver)
    return nextStepOf(round, Date.now(), { isWriting: ledger.isWriting(), isEnding: isEnding(), stayMs })
  }

  const begin = (receiver: Receiver): void => {
    const posts = nextPosts(round, Date.now())
    if (posts.length === 0) return
    round = started(round, posts)
    for (const due of posts) void post(due, receiver)
  }

  // A round is woken by what belongs to no activity, such as a notification; a post belongs to that which opened the round.
  const post = AsyncResource.bind(async (due: DueDelivery, receiver: Receiver): Promise<void> => {
    let release: (() => void) | undefined
    let written: Written | undefined
    try {
      const kind = { isSlow: isSlow(round, Date.now()), made: due.made }
      release = postPermits.takeNow(receiver.tenant, kind)
      // The delivery stays pending if the round stops before its turn comes.
      release ??= await postPermits.take(receiver.tenant, kind, stop).catch(() => undefined)
      if (release !== undefined && mayBegin()) {
        const at = Date.now()
        round = sent(round, due, at)
        const deadline = attemptTime(due.firstAt, at, times)
        if (due.body === null || deadline === undefined) written = unsent(due, at)
        else written = attempted(due, at, await postWebhook(outbound, postOf(due, due.body, receiver, deadline)), times)
      }
    } catch (error) {
      failure ??= error
    }
    round = ended(round, due, written)
    count(written)
    release?.()
    if (written !== undefined) ledger.write(written)
    turn()
  })

  const count = (written: Written | undefined): void => {
    progress.waiting = waitingIn(round)
    if (written?.status === 'delivered') progress.delivered += 1
    if (written?.attempt !== undefined) progress.last_status = written.attempt.status_code ?? written.attempt.error ?? null
  }

  return {
    wake: () => {
      round = withMore(round)
      turn()
    },
    run: (onLeave) =>
      new Promise((resolve, reject) => {
        leave = () => {
          leave = undefined
          alarm.end()
          onLeave()
          stop.removeEventListener('abort', turn)
          if (failure !== undefined) reject(failure)
          else resolve({ cannotSign: ledger.receiver()?.secrets.length === 0 })
        }
        stop.addEventListener('abort', turn, { once: true })
        turn()
      }),
  }
}

/** Returns an alarm that calls `wake` at the earliest of the times that are set, and forgets the others. */
function newAlarm(wake: () => void): { set(milliseconds: number): void; end(): void } {
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY
  const end = () => {
    clearTimeout(timer)
    armedFor = Number.POSITIVE_INFINITY
  }
  return {
    set: (milliseconds) => {
      const at = performance.now() + milliseconds
      if (at >= armedFor) return
      end()
      armedFor = at
      timer = setTimeout(() => {
        end()
        wake()
      }, milliseconds)
    },
    end,
  }
}

function postOf({ event_id, traceparent }: DueDelivery, body: string, { url, secrets }: Receiver, deadline: number): WebhookPost {
  return { url, secrets, eventId: event_id, body, deadline, traceparent }
}

/** Drops a delivery without an attempt: its event is missing, or it waited too long for a worker or a turn. */
function unsent(due: DueDelivery, at: number): Written {
  return { due, attempt: undefined, status: 'dropped', reason: due.body === null ? 'event_missing' : 'too_late', dueAt: at }
}

function attempted(due: DueDelivery, at: number, { latency_ms, ...outcome }: WebhookAnswer, times?: AttemptTimes): Written {
  const { status, reason, due: dueAt } = afterAttempt(due.made + 1, outcome.status_code, at + latency_ms, times)
  return { due, attempt: { at: new Date(at).toISOString(), ...outcome, latency_ms }, status, reason, dueAt }
}
