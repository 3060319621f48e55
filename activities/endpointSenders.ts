import { randomUUID } from 'node:crypto'
import { leaveEndpoint, renewEndpoints, takeEndpoint, type Waiting } from '../src/store/delivery/endpointSenders.ts'
import { openRound, type PostDeps } from './postRound.ts'

/** The endpoints that this process sends to: no other process does meanwhile, unless this one has stood still for longer than its lease. */
export interface EndpointSenders {
  /** Whether this process is sending to the endpoint; then it looks again before it leaves. */
  wake(endpointId: string): boolean
  /** What becomes of the sending that is under way. */
  under(endpointId: string): Promise<Outcome> | undefined
  /** Begins to send; none may be under way. Fails as `PostRound.run` does. */
  send(endpointId: string, options: SendOptions): Promise<Outcome>
  count(): number
  /** Begins no post any more. Resolves when those under way are recorded. */
  close(): Promise<void>
}

export interface SendOptions {
  /** Once it aborts, no post begins. */
  stop?: AbortSignal
  leavesSlow(): boolean
}

/** Another process has the endpoint, and looks once more before it leaves; or what waits, and why it was left. */
export type Outcome = 'elsewhere' | (Waiting & { leftSlow: boolean; cannotSign: boolean })

/** Of one look by one process. Then what still waits is left to a run, which operators see, and another worker has its chance. */
const ROUND_MS = 60_000
/** A fifth of a lease. */
const RENEW_MS = 1_000

interface Sending {
  readonly began: number
  readonly stopping: AbortController
  readonly outcome: Promise<Outcome>
  /** Wakes the round; before and after it, what comes after. */
  wake: () => void
}

export function openEndpointSenders(deps: PostDeps): EndpointSenders {
  const { pool } = deps.db
  const sender = randomUUID()
  const sendings = new Map<string, Sending>()

  /** Takes the endpoint, sends, and leaves, until nobody has asked for more meanwhile. Forgets it in the very moment of the last question. */
  const work = async (endpointId: string, sending: Sending, leavesSlow: () => boolean): Promise<Outcome> => {
    const claim = { endpointId, sender }
    const stop = sending.stopping.signal
    for (;;) {
      let isWoken = false
      const noteWake = () => {
        isWoken = true
      }
      sending.wake = noteWake
      const isTaken = await takeEndpoint(pool, claim)
      if (!isTaken && isWoken) continue
      if (!isTaken) return forget(endpointId, 'elsewhere')
      const round = openRound(deps, { endpointId, stop, leavesSlow })
      sending.wake = round.wake
      const { leftSlow, cannotSign } = await round.run(() => {
        sending.wake = noteWake
      })
      const { woken, due, ...waits } = await leaveEndpoint(pool, claim)
      const isMore = isWoken || woken || due
      if (!isMore || stop.aborted || leftSlow || cannotSign) return forget(endpointId, { ...waits, leftSlow, cannotSign })
    }
  }
  const forget = (endpointId: string, outcome: Outcome): Outcome => {
    sendings.delete(endpointId)
    if (sendings.size === 0) clearInterval(renewing)
    return outcome
  }
  const failed = async (endpointId: string, error: unknown): Promise<never> => {
    // Without the database its lease ends by itself.
    await leaveEndpoint(pool, { endpointId, sender }).catch(() => undefined)
    forget(endpointId, 'elsewhere')
    throw error
  }

  let renewing: NodeJS.Timeout | undefined
  const renew = async (): Promise<void> => {
    const asked = [...sendings]
    const now = Date.now()
    for (const [, { began, stopping }] of asked) if (now - began > ROUND_MS) stopping.abort()
    const lasting = asked.filter(([, { began }]) => now - began >= RENEW_MS)
    if (lasting.length === 0) return
    const kept = new Set(await renewEndpoints(pool, sender, [...sendings.keys()]))
    for (const [endpointId, sending] of lasting) {
      if (!kept.has(endpointId) && sendings.get(endpointId) === sending) sending.stopping.abort()
    }
  }

  return {
    wake: (endpointId) => {
      const sending = sendings.get(endpointId)
      sending?.wake()
      return sending !== undefined
    },
    under: (endpointId) => sendings.get(endpointId)?.outcome,
    send: (endpointId, { stop, leavesSlow }) => {
      const stopping = new AbortController()
      const abort = () => stopping.abort()
      stop?.addEventListener('abort', abort, { once: true })
      if (stop?.aborted) abort()
      if (sendings.size === 0) renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref()
      const sending = { began: Date.now(), stopping, wake: () => undefined } as unknown as Sending & { outcome: Promise<Outcome> }
      sendings.set(endpointId, sending)
      sending.outcome = work(endpointId, sending, leavesSlow)
        .catch((error) => failed(endpointId, error))
        .finally(() => stop?.removeEventListener('abort', abort))
      return sending.outcome
    },
    count: () => sendings.size,
    close: async () => {
      const under = [...sendings.values()]
      for (const { stopping } of under) stopping.abort()
      await Promise.allSettled(under.map(({ outcome }) => outcome))
    },
  }
}
