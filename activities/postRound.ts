import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../src/adapters/outboundCall.ts'
import { postWebhook } from '../src/adapters/webhookSender.ts'
import { afterAttempt, afterOutcomes, attemptTime } from '../src/domain/webhooks/attempts.ts'
import type { Database } from '../src/store/database.ts'
import { claimDue, type DueDelivery, dropPending, type Written, writeAttempts } from '../src/store/deliveries.ts'
import type { SecretBox } from '../src/store/secrets.ts'
import { type Receiver, readReceiver, saveStanding } from '../src/store/webhookEndpoints.ts'
import { newBell } from './bell.ts'
import type { Permits } from './permits.ts'

export interface PostDeps {
  db: Database
  secrets: SecretBox
  outbound: Outbound
  permits: Permits
}

/** One endpoint's deliveries, while one sender works on them. */
export interface PostRound {
  /** There may be more to be sent. */
  ring(): void
  /**
   * Sends what is due and what comes due meanwhile, until nothing has for a while or `stop`. `onLeave` is called in the moment in which a ring is
   * heard no more. By the end every attempt is written down; fails when that, or a claim, cannot be.
   */
  run(stop: AbortSignal, onLeave: () => void): Promise<void>
}

/** Posts at once to one endpoint (promises, Outbound calls). */
const AT_ONCE = 4
const BATCH = 128
/** A post that is out for longer may well be one that is never answered. */
const SLOW_MS = 1_000
/** How long a sender with nothing to do stays, and how often it looks for what other processes have committed. */
const LINGER_MS = 500
const LOOK_MS = 100
/** How often one at work looks whether its endpoint still wants what is in hand, and by which secrets it is signed. */
const RELOOK_MS = 1_000

export function openRound({ db, secrets, outbound, permits }: PostDeps, endpointId: string): PostRound {
  let receiver: Receiver | undefined
  let queue: DueDelivery[] = []
  /** Claimed, and not yet written down as sent. */
  const held = new Set<string>()
  const busyOrders = new Set<string>()
  /** Milliseconds since 1970: when those fall due again that this round has tried in vain. */
  let retries: number[] = []
  /** When the posts that are out began. */
  const out = new Set<{ at: number }>()
  let posting = 0
  let firsts = 0
  /** What the last post came to, in this round. */
  let last: 'well' | 'failed' | undefined
  let more = true
  let lookedAt = 0
  /** How the endpoint stands is being saved. */
  let settling: Promise<unknown> = Promise.resolve()
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
  /** One that fails, or is about to, is served by the part of the permits that is for those. */
  const isSuspect = () =>
    last === 'failed' || (receiver?.failingSince ?? null) !== null || [...out].some(({ at }) => Date.now() - at > SLOW_MS)
  /** Until it has answered well, it is sent one new delivery at a time: a sudden silence of many must not take every permit. */
  const mostFirsts = () => (last === 'well' && !isSuspect() ? AT_ONCE : 1)
  const hasRoom = () => queue.length < BATCH / 2
  const nextLook = () => Math.min(lookedAt + RELOOK_MS, Math.max(lookedAt + LOOK_MS, Math.min(...retries)))
  const isLookDue = () => (more && hasRoom()) || Date.now() >= nextLook()

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
      await dropPending(db, endpointId)
      return
    }
    const found = await claimDue(db, endpointId, [...held], BATCH)
    const due = forAll ? found : found.filter(({ made }) => made > 0)
    if (forAll) more ||= found.length === BATCH
    for (const { delivery_no } of due) held.add(delivery_no)
    queue = [...queue, ...due].sort((a, b) => Number(b.made > 0) - Number(a.made > 0))
  }

  /** An order's events go one after another, each when the one before was tried. Retries wait for nobody. */
  const launch = (to: Receiver): void => {
    while (posting < AT_ONCE) {
      const mayBegin = firsts < mostFirsts()
      const index = queue.findIndex(({ made, order_id }) => made > 0 || (mayBegin && (order_id === null || !busyOrders.has(order_id))))
      const [due] = index < 0 ? [] : queue.splice(index, 1)
      if (due === undefined) return
      const leave = enter(due)
      void post(due, to).then((written) => {
        leave()
        if (written.status === 'pending') retries.push(written.dueAt)
        writer.add(written)
        change.ring()
      }, fail)
    }
  }

  const enter = ({ made, order_id }: DueDelivery): (() => void) => {
    const isFirst = made === 0
    posting += 1
    if (isFirst) firsts += 1
    if (isFirst && order_id !== null) busyOrders.add(order_id)
    return () => {
      posting -= 1
      if (isFirst) firsts -= 1
      if (isFirst && order_id !== null) busyOrders.delete(order_id)
    }
  }

  const post = async (due: DueDelivery, { url, secrets: keys }: Receiver): Promise<Written> => {
    const giveBack = await permits.take(isSuspect)
    const at = Date.now()
    const mine = { at }
    out.add(mine)
    try {
      const deadline = attemptTime(due.firstAt, at)
      // Too late, after a wait for a worker or a turn, is the end of it; so is an event that is gone.
      if (due.body === null || deadline === undefined) return { due, attempt: undefined, status: 'dropped', dueAt: at }
      const answer = await postWebhook(outbound, { url, secrets: keys, eventId: due.event_id, body: due.body, deadline })
      const { latency_ms, ...outcome } = answer
      const { status, due: dueAt } = afterAttempt(due.made + 1, outcome.status_code, at + latency_ms)
      last = status === 'delivered' ? 'well' : 'failed'
      return { due, attempt: { at: new Date(at).toISOString(), ...outcome, latency_ms }, status, dueAt }
    } finally {
      out.delete(mine)
      giveBack()
    }
  }

  const writer = newWriter(
    async (written) => {
      await writeAttempts(db, endpointId, written)
      for (const { due } of written) held.delete(due.delivery_no)
      await keepStanding(written)
    },
    change.ring,
    fail,
  )

  const keepStanding = async (written: readonly Written[]): Promise<void> => {
    if (receiver === undefined) return
    const outcomes = written.flatMap(({ attempt }) =>
      attempt === undefined ? [] : [{ statusCode: attempt.status_code, ended: Date.parse(attempt.at) + attempt.latency_ms }],
    )
    const { failingSince, disabled } = afterOutcomes(receiver.failingSince, outcomes)
    if (failingSince === receiver.failingSince && disabled === undefined) return
    receiver = disabled === undefined ? { ...receiver, failingSince } : undefined
    if (disabled !== undefined) queue = []
    const saved = saveStanding(db, endpointId, { failingSince, ...(disabled === undefined ? {} : { disabled }) })
    settling = saved.catch(() => undefined)
    await saved
  }

  return {
    ring,
    run: async (stop, onLeave) => {
      stop.addEventListener('abort', change.ring, { once: true })
      let busyAt = Date.now()
      for (;;) {
        const stopping = stop.aborted || failure !== undefined
        if (!stopping && isLookDue()) await claim().catch(fail)
        if (!stopping && receiver !== undefined) launch(receiver)
        const working = posting > 0 || writer.isBusy()
        if (working || queue.length > 0) busyAt = Date.now()
        else if (!stopping && !more) {
          if (Date.now() - busyAt >= LINGER_MS) break
          await change.heard(LOOK_MS)
          more = true
          continue
        }
        if (stopping && !working) break
        if (stopping) await change.heard()
        else if (!isLookDue()) await change.heard(nextLook() - Date.now())
      }
      onLeave()
      stop.removeEventListener('abort', change.ring)
      if (failure !== undefined) throw failure
    },
  }
}

const WRITE_TRIES = 5
const GATHERED = 64
const GATHER_MS = 20

/** Writes what has collected, and tries again for a while: what cannot be written would be sent twice. `onRest` is called when nothing is left. */
function newWriter(write: (written: readonly Written[]) => Promise<void>, onRest: () => void, fail: (error: unknown) => void) {
  let collected: Written[] = []
  let busy = false
  const tried = async (batch: readonly Written[]) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(batch)
      } catch (error) {
        if (tries === WRITE_TRIES) return fail(error)
        await sleep(200 * 2 ** tries)
      }
    }
  }
  const writeAll = async () => {
    while (collected.length > 0) {
      // Attempts end one by one: a moment's wait makes one statement of many.
      if (collected.length < GATHERED) await sleep(GATHER_MS)
      const batch = collected
      collected = []
      await tried(batch)
    }
    busy = false
    onRest()
  }
  return {
    isBusy: () => busy,
    add: (written: Written) => {
      collected.push(written)
      if (busy) return
      busy = true
      void writeAll()
    },
  }
}
