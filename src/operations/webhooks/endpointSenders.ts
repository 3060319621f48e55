import { randomUUID } from 'node:crypto'
import { type HeldByOther, leaveEndpoint, renewEndpoints, takeEndpoint, type Waiting } from '../../store/delivery/endpointSenders.ts'
import { openRound, type PostDeps, type Progress } from './postRound.ts'

/** The endpoints that this process sends to. No other process does, unless this one was suspended for longer than its lease. */
export interface EndpointSenders {
  /** Returns whether this process is sending to the endpoint; if so, it looks again before it leaves. */
  wake(endpointId: string): boolean
  /** Returns the outcome of the sending in progress, if there is one. */
  inProgress(endpointId: string): Promise<WorkOutcome> | undefined
  /** Returns what the sending in progress has done so far, if there is one. */
  progress(endpointId: string): Readonly<Progress> | undefined
  /**
   * Starts sending; none may be in progress. Once `stop` aborts, no further post starts. Fails if `PostRound.run` fails or hangs. After
   * `close` it leaves the endpoint to others.
   */
  send(endpointId: string, stop: AbortSignal): Promise<WorkOutcome>
  /** Starts no more posts. Resolves when those in progress are recorded. */
  close(): Promise<void>
}

/** Another process has the endpoint and looks again before it leaves; or the deliveries that wait, and what was done. */
export type WorkOutcome = HeldByOther | (Waiting & Progress & { cannotSign: boolean })

/** Returns the milliseconds since a fixed moment, unaffected by changes of the system clock. */
export type Elapsed = () => number

/** The limit of one sending, after which its run shows what it did and another worker gets a chance. */
const ROUND_MS = 60_000
/** A post and its record take less time. A sending that has not ended by then waits for something that will never happen. */
const ENDING_MS = 30_000
/** A fifth of a lease. */
const RENEW_MS = 1_000
/** Less than a lease, and counted from the question, since the answer may be late. */
const OWN_MS = 4_000

interface Sending {
  readonly endpointId: string
  readonly began: number
  readonly stopping: AbortController
  readonly progress: Progress
  /** Wakes the round; before and after the round, it notes that another one is needed. */
  wake: () => void
  /** Whether the endpoint is taken and not left yet. */
  isHeld: boolean
  /** When the latest question was asked that renewed or granted the lease. */
  askedAt: number
  /** Makes the sending fail, whatever it is waiting for. */
  abandon: (error: Error) => void
  isAbandoned: boolean
  outcome: Promise<WorkOutcome>
}

export function openEndpointSenders(deps: PostDeps, elapsed: Elapsed = () => performance.now()): EndpointSenders {
  const { pool } = deps.db
  const sender = randomUUID()
  const sendings = new Map<string, Sending>()
  let isClosed = false

  /** Takes the endpoint, sends, and leaves, until nothing more is asked of it. Forgets the sending at the moment of the last check. */
  const work = async (sending: Sending): Promise<WorkOutcome> => {
    const { endpointId, progress } = sending
    const claim = { endpointId, sender }
    const stop = sending.stopping.signal
    for (;;) {
      let isWoken = false
      const noteWake = () => {
        isWoken = true
      }
      sending.wake = noteWake
      const askedAt = elapsed()
      const taken = await takeEndpoint(pool, claim)
      if (taken !== 'taken' && isWoken && !stop.aborted) continue
      if (taken !== 'taken') return forget(sending, taken)
      Object.assign(sending, { askedAt, isHeld: true })
      const round = openRound(deps, { endpointId, stop, mayBegin: () => isOwn(sending), progress })
      sending.wake = round.wake
      const { cannotSign } = await round.run(() => {
        sending.wake = noteWake
      })
      sending.isHeld = false
      if (sending.isAbandoned) throw new Error('given up') // the lease may belong to the next sending
      const { woken, due, ...waits } = await leaveEndpoint(pool, claim)
      const isMore = isWoken || woken || due
      if (isMore && !stop.aborted && !cannotSign) continue
      // A wake may arrive after the statement has read what waits, so it counts as a delivery that is due now.
      const at = waits.at ?? (isMore ? new Date().toISOString() : null)
      return forget(sending, { ...progress, ...waits, at, cannotSign })
    }
  }
  /** Stops a sending that has outlived its lease by this process's clock, even if the database has renewed it. */
  const isOwn = ({ askedAt, stopping }: Sending): boolean => {
    if (elapsed() - askedAt > OWN_MS) stopping.abort()
    return !stopping.signal.aborted
  }
  const forget = <Left>(sending: Sending, left: Left): Left => {
    if (sendings.get(sending.endpointId) === sending) sendings.delete(sending.endpointId)
    if (sendings.size === 0) clearInterval(renewing)
    return left
  }
  const failed = async (sending: Sending, error: unknown): Promise<never> => {
    sending.isHeld = false
    // If the database is unavailable, the lease simply expires.
    if (!sending.isAbandoned) await leaveEndpoint(pool, { endpointId: sending.endpointId, sender }).catch(() => undefined)
    throw forget(sending, error)
  }

  let renewing: NodeJS.Timeout | undefined
  let unanswered = Number.NEGATIVE_INFINITY
  const tick = (): void => {
    const now = elapsed()
    for (const sending of sendings.values()) {
      const age = now - sending.began
      if (age > ROUND_MS) sending.stopping.abort()
      if (age > ROUND_MS + ENDING_MS) abandon(sending)
    }
    const held = [...sendings.values()].filter(({ isHeld, askedAt }) => isHeld && now - askedAt >= RENEW_MS / 2)
    if (held.length === 0 || now - unanswered < OWN_MS) return
    unanswered = now
    void renew(held, now)
      .catch(() => undefined)
      .finally(() => {
        if (unanswered === now) unanswered = Number.NEGATIVE_INFINITY
      })
  }
  const renew = async (held: readonly Sending[], askedAt: number): Promise<void> => {
    const kept = new Set(
      await renewEndpoints(
        pool,
        sender,
        held.map(({ endpointId }) => endpointId),
      ),
    )
    for (const sending of held) {
      if (sending.askedAt > askedAt || !sending.isHeld) continue // left in the meantime, and perhaps taken again
      if (kept.has(sending.endpointId)) sending.askedAt = askedAt
      else sending.stopping.abort()
    }
  }
  const abandon = (sending: Sending): void => {
    sending.isAbandoned = true
    forget(sending, undefined)
    sending.abandon(new Error(`the sending to ${sending.endpointId} has not ended in time`))
  }

  return {
    wake: (endpointId) => {
      const sending = sendings.get(endpointId)
      sending?.wake()
      return sending !== undefined
    },
    inProgress: (endpointId) => sendings.get(endpointId)?.outcome,
    progress: (endpointId) => sendings.get(endpointId)?.progress,
    send: (endpointId, stop) => {
      if (isClosed) return Promise.resolve({ elsewhereMs: 0 })
      const sending = newSending(endpointId, elapsed())
      const abort = () => sending.stopping.abort()
      stop.addEventListener('abort', abort, { once: true })
      if (stop.aborted) abort()
      if (sendings.size === 0) renewing = setInterval(tick, RENEW_MS).unref()
      sendings.set(endpointId, sending)
      const abandoned = new Promise<never>((_, reject) => {
        sending.abandon = reject
      })
      const worked = work(sending).catch((error) => failed(sending, error))
      sending.outcome = Promise.race([worked, abandoned]).finally(() => stop.removeEventListener('abort', abort))
      return sending.outcome
    },
    close: async () => {
      isClosed = true
      const inProgress = [...sendings.values()]
      for (const { stopping } of inProgress) stopping.abort()
      await Promise.allSettled(inProgress.map(({ outcome }) => outcome))
    },
  }
}

function newSending(endpointId: string, now: number): Sending {
  return {
    endpointId,
    began: now,
    stopping: new AbortController(),
    progress: { delivered: 0, waiting: 0, last_status: null },
    wake: () => undefined,
    isHeld: false,
    askedAt: now,
    abandon: () => undefined,
    isAbandoned: false,
    outcome: new Promise(() => undefined),
  }
}
