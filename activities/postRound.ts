import type { Outbound } from '../src/adapters/outboundCall.ts'
import { postWebhook } from '../src/adapters/webhookSender.ts'
import { afterAttempt, afterOutcomes, attemptTime } from '../src/domain/webhooks/attempts.ts'
import { type EndpointPace, hasRoomForFirst, isSlow, nextPosts, type OpenPost } from '../src/domain/webhooks/nextPosts.ts'
import type { Database } from '../src/store/connection/database.ts'
import { claimDue, type DueDelivery, dropPending, type Written, writeAttempts } from '../src/store/delivery/deliveries.ts'
import { type Receiver, readReceiver, saveHealth } from '../src/store/delivery/webhookEndpoints.ts'
import type { SecretBox } from '../src/store/tenants/secrets.ts'
import { attemptWriter } from './attemptWriter.ts'
import { newBell } from './bell.ts'
import type { PostPlaces } from './postPlaces.ts'

export interface PostDeps {
  db: Database
  secrets: SecretBox
  outbound: Outbound
  places: PostPlaces
}

/** One endpoint's deliveries, while one sender works on them. */
export interface PostRound {
  /** There may be more to be sent. */
  ring(): void
  /**
   * Sends what is due and what comes due meanwhile, its own retries included, until nothing has for a while. `onLeave` is called in the moment in which a ring is
   * heard no more. By the end every attempt is written down; fails when that, or a claim, cannot be. Resolves with whether it
   * left because the endpoint is slow, and whether no secret of it could be opened.
   */
  run(onLeave: () => void): Promise<{ leftSlow: boolean; cannotSign: boolean }>
}

export interface RoundOptions {
  endpointId: string
  /** Nothing new begins once it aborts; what has begun is finished and written down. */
  stop: AbortSignal
  /** Asked while the endpoint is slow: whether the round is to begin nothing more, because its slot is wanted. */
  leavesSlow(): boolean
}

const BATCH = 128
/** How long a sender with nothing to do stays, and how often it looks for what other processes have committed. */
const LINGER_MS = 500
const LOOK_MS = 100
/** How often one at work looks whether its endpoint still wants what is in hand, and by which secrets it is signed. */
const RELOOK_MS = 1_000
const RELOOK_SLOW_MS = 5_000
/** A timer takes no longer wait than 24 days, and certainly not an endless one. */
const LONGEST_WAIT_MS = 60_000

export function openRound({ db, secrets, outbound, places }: PostDeps, { endpointId, stop, leavesSlow }: RoundOptions): PostRound {
  let receiver: Receiver | undefined
  let queue: DueDelivery[] = []
  /** Claimed, and not yet written down as sent. */
  const held = new Set<string>()
  const out = new Set<OpenPost>()
  /** Milliseconds since 1970: when those fall due again that this round has tried in vain. */
  let retries: number[] = []
  let last: EndpointPace['last']
  let lastTook: number | undefined
  let more = true
  let lookedAt = 0
  /** How the endpoint stands is being saved. */
  let settling: Promise<unknown> = Promise.resolve()
  /** None of its secrets can be opened: what is due waits for another. */
  let cannotSign = false
  let failure: unknown
  const change = newBell()

  const ring = () => {
    more = true
    change.ring()
  }
  const fail = (error: unknown) => {
    failure ??= error
    change.ring()
  }
  const pace = (): EndpointPace => ({ isFailing: (receiver?.failingSince ?? null) !== null, last, lastTook, out: [...out] })
  const hasRoom = () => queue.length < BATCH / 2
  /** A look for what could not begin anyway is left out: an endpoint that hangs costs no query while it does. */
  const nextLook = () => {
    const retry = Math.max(lookedAt + LOOK_MS, Math.min(...retries))
    if (!hasRoomForFirst(pace(), Date.now())) return retry
    return Math.min(lookedAt + (isSlow(pace(), Date.now()) ? RELOOK_SLOW_MS : RELOOK_MS), retry)
  }
  const isLookDue = () => (more && hasRoom() && hasRoomForFirst(pace(), Date.now())) || Date.now() >= nextLook()

  /** Retries are taken even when there is no room: they come before what was never tried, or they would come too late. */
  const claim = async (): Promise<void> => {
    lookedAt = Date.now()
    retries = retries.filter((dueAt) => dueAt > lookedAt)
    const forAll = hasRoom()
    if (forAll) more = false
    await settling
    const settled = settling
    const read = await readReceiver(db, secrets, endpointId)
    if (settling !== settled) {
      more = true // what its answers came to meanwhile counts
      return
    }
    receiver = read
    if (receiver === undefined) {
      queue = []
      retries = []
      await dropPending(db, endpointId, 'endpoint_disabled')
      return
    }
    cannotSign = receiver.secrets.length === 0
    if (cannotSign) return
    const found = await claimDue(db, endpointId, [...held], BATCH)
    const due = forAll ? found : found.filter(({ made }) => made > 0)
    if (forAll) more ||= found.length === BATCH
    lastTook ??= due.find(({ lastTook }) => lastTook !== undefined)?.lastTook
    for (const { delivery_no } of due) held.add(delivery_no)
    queue = [...queue, ...due].sort((a, b) => Number(b.made > 0) - Number(a.made > 0))
  }

  const launch = (to: Receiver): void => {
    const posts = new Set(nextPosts(queue, pace(), Date.now()))
    if (posts.size === 0) return
    queue = queue.filter((due) => !posts.has(due))
    for (const due of posts) {
      const open: OpenPost = { made: due.made, order_id: due.order_id, at: undefined }
      out.add(open)
      void post(due, to, open)
        .then((written) => {
          if (written?.status === 'pending') retries.push(written.dueAt)
          if (written !== undefined) writer.add(written)
          change.ring()
        })
        .catch(fail)
    }
  }

  /** Undefined when the round stopped before it was the delivery's turn: it stays pending. */
  const post = async (due: DueDelivery, { tenant, url, secrets: keys }: Receiver, open: OpenPost): Promise<Written | undefined> => {
    const turn = places.take(tenant, { isSlow: isSlow(pace(), Date.now()), made: due.made }, stop)
    const giveBack = await turn.catch(() => undefined)
    if (giveBack === undefined) {
      out.delete(open)
      return undefined
    }
    const at = Date.now()
    open.at = at
    try {
      const deadline = attemptTime(due.firstAt, at)
      if (due.body === null) return { due, attempt: undefined, status: 'dropped', reason: 'event_missing', dueAt: at }
      // Too late, after a wait for a worker or a turn, is the end of it.
      if (deadline === undefined) return { due, attempt: undefined, status: 'dropped', reason: 'too_late', dueAt: at }
      const answer = await postWebhook(outbound, { url, secrets: keys, eventId: due.event_id, body: due.body, deadline })
      const { latency_ms, ...outcome } = answer
      const { status, reason, due: dueAt } = afterAttempt(due.made + 1, outcome.status_code, at + latency_ms)
      last = status === 'delivered' ? 'delivered' : 'failed'
      lastTook = latency_ms
      return { due, attempt: { at: new Date(at).toISOString(), ...outcome, latency_ms }, status, reason, dueAt }
    } finally {
      out.delete(open)
      giveBack()
    }
  }

  const writer = attemptWriter({
    write: async (written) => {
      await writeAttempts(db, endpointId, written)
      for (const { due } of written) held.delete(due.delivery_no)
      await keepStanding(written)
    },
    onRest: change.ring,
    onFailure: fail,
  })

  const keepStanding = async (written: readonly Written[]): Promise<void> => {
    if (receiver === undefined) return
    const outcomes = written.flatMap(({ attempt }) =>
      attempt === undefined ? [] : [{ statusCode: attempt.status_code, ended: Date.parse(attempt.at) + attempt.latency_ms }],
    )
    const { failingSince, disabled } = afterOutcomes(receiver.failingSince, outcomes)
    if (failingSince === receiver.failingSince && disabled === undefined) return
    receiver = disabled === undefined ? { ...receiver, failingSince } : undefined
    if (disabled !== undefined) [queue, retries] = [[], []]
    const saved = saveHealth(db, endpointId, { failingSince, ...(disabled === undefined ? {} : { disabled }) })
    settling = saved.catch(() => undefined)
    await saved
  }

  return {
    ring,
    run: async (onLeave) => {
      stop.addEventListener('abort', change.ring, { once: true })
      let busyAt = Date.now()
      let leftSlow = false
      for (;;) {
        const stopping = stop.aborted || failure !== undefined || leftSlow
        if (!stopping && isLookDue()) await claim().catch(fail)
        leftSlow ||= receiver !== undefined && isSlow(pace(), Date.now()) && leavesSlow()
        if (!stopping && !leftSlow && receiver !== undefined) launch(receiver)
        const working = out.size > 0 || writer.isBusy()
        if (stopping || leftSlow) {
          if (!working) break
          await change.heard()
          continue
        }
        if (working || queue.length > 0 || retries.length > 0) busyAt = Date.now()
        else if (!more) {
          if (Date.now() - busyAt >= LINGER_MS || isSlow(pace(), Date.now())) break
          await change.heard(LOOK_MS)
          more = true
          continue
        }
        // Its own retries are waited for here: a step of the engine for each would cost all tenants, and come late when it is busy.
        if (!isLookDue()) await change.heard(Math.min(nextLook() - Date.now(), LONGEST_WAIT_MS))
      }
      onLeave()
      stop.removeEventListener('abort', change.ring)
      if (failure !== undefined) throw failure
      return { leftSlow, cannotSign }
    },
  }
}
