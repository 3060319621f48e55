import { setTimeout as sleep } from 'node:timers/promises'
import type { NativeConnection } from '@temporalio/worker'
import { tracedIn } from '../src/metrics/tracing.ts'
import { OUTBOX_CARRIED } from '../src/metrics/work.ts'
import { claimOutbox, finishOutbox, listenOutbox, type OutboxRow, releaseOutbox, renewOutbox } from '../src/store/orders/outbox.ts'
import { inTime } from './inTime.ts'
import { paceRelay } from './relayPace.ts'
import { newestOf, type Rows, type WakeDeps } from './runKind.ts'
import { isKind, RUNS, runOf } from './runs.ts'
import { isAway, isForbidden, isNamespaceUnknown } from './temporalErrors.ts'
import { newWakeSignal } from './wakeSignal.ts'

export interface Relay {
  /** Resolves after the first look into the outbox. */
  readonly ready: Promise<void>
  /** Tells the relay that rows wait in the outbox. */
  wake(): void
  /** Claims nothing more, and finishes the calls in progress. */
  stop(): Promise<void>
}

export interface RelayDeps extends WakeDeps {
  /** The database whose notifications the relay listens to. */
  databaseUrl: string
  /** The worker's own connection, and a client on it, so that runs start eagerly. */
  connection: NativeConnection
  /** Kinds of runs that this worker cannot advance, so that it does not wake stuck ones. */
  idle?: readonly string[]
  /** Returns how many workflow tasks of orders wait in Temporal. Fails while Temporal does not serve the namespace. */
  countTasks: () => Promise<number>
  /** Whether this worker works on runs; meanwhile the relay claims nothing. */
  isServing?: () => boolean
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

/** Starts relaying outbox rows to Temporal. Several relays may run concurrently. Loses no row and may relay a row twice. */
export function startRelay({ databaseUrl, connection, idle = [], countTasks, isServing = () => true, logger, ...deps }: RelayDeps): Relay {
  const { db } = deps
  const { pool } = db
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const held = new Set<string>()
  const finished = batches((ids) => finishOutbox(pool, ids))
  const work = newWakeSignal()
  stopping.signal.addEventListener('abort', work.wake)
  const pace = paceRelay(() => inTime(connection, CALL_MS, countTasks))
  let moreWaits = false
  /** Set while Temporal does not answer; resolves when it answers again. */
  let away: Promise<void> | undefined
  let databaseAway = false
  let claimedOnce: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    claimedOnce = resolve
  })

  const carry = async (rows: Rows): Promise<void> => {
    for (const { outbox_id } of rows) held.add(outbox_id)
    const newest = newestOf(rows)
    const wake = async () => {
      const run = runOf(newest.kind)
      await inTime(connection, CALL_MS, () => run.wake(deps, rows, run))
    }
    const carried = { name: `carry ${newest.kind}`, kind: 'consumer', attributes: { 'marketplace.order_id': newest.target } } as const
    await tracedIn(newest.traceparent, carried, wake).then(
      () => done(rows),
      (error) => failed(rows, error),
    )
  }

  const done = (rows: Rows): void => {
    const ids = noLongerHeld(rows)
    finished.add(ids)
    OUTBOX_CARRIED.inc({ kind: newestOf(rows).kind, outcome: 'carried' }, ids.length)
  }
  const failed = async (rows: Rows, error: unknown): Promise<void> => {
    const { kind, target } = newestOf(rows)
    const unreachable = isAway(error)
    OUTBOX_CARRIED.inc({ kind: isKind(kind) ? kind : 'unknown', outcome: unreachable ? 'unreachable' : 'failed' }, rows.length)
    if (unreachable) awaitEngine(isNamespaceUnknown(error) ? UNKNOWN_MS : 0)
    else logger.warn(`the run of ${kind} ${target} could not be woken`, { error, ...(kind === 'order' ? { order_id: target } : {}) })
    // While Temporal is away no row is claimed, so no further delay is needed.
    await release(rows, unreachable ? 0 : backoff(Math.max(...rows.map(({ attempts }) => attempts))))
  }
  const release = (rows: Rows, delay: number): Promise<void> => releaseOutbox(pool, noLongerHeld(rows), delay).catch(() => undefined)
  const noLongerHeld = (rows: Rows): string[] => {
    const ids = rows.map(({ outbox_id }) => outbox_id)
    for (const id of ids) held.delete(id)
    return ids
  }

  /** Takes one of the places for calls to Temporal. */
  const begin = (rows: Rows): void => {
    const carried = carry(rows).finally(() => {
      inFlight.delete(carried)
      if (moreWaits && inFlight.size <= pace.places() / 2) work.wake()
    })
    inFlight.add(carried)
  }

  const claim = async (): Promise<void> => {
    if (away !== undefined || !isServing()) return
    const places = pace.places()
    const free = places - inFlight.size
    if (free < places / 4) {
      moreWaits = true
      return
    }
    // A relay that was suspended may claim rows that it still holds; the claim only renews their lease.
    const mine = new Set(held)
    const claimed = await claimOutbox(pool, free)
    moreWaits = claimed.length === free
    for (const sameTarget of byTarget(claimed.filter(({ outbox_id }) => !mine.has(outbox_id)))) begin(sameTarget)
    pace.claimed(moreWaits)
    if (moreWaits) work.wake()
  }

  const awaitEngine = (restMs: number): void => {
    if (away !== undefined) return
    logger.warn('Temporal is away; what waits for it is kept')
    const count = () => inTime(connection, ASK_MS, countTasks)
    const rested = sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    away = rested
      .then(() => engineBack(count, stopping.signal))
      .then(() => {
        away = undefined
        if (!stopping.signal.aborted) logger.info('Temporal is back')
        work.wake()
      })
  }

  const pump = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // While the database is away nothing can be claimed; the next poll finds out whether it is back.
      await claim().then(
        () => {
          databaseAway = false
          claimedOnce()
        },
        (error) => {
          if (!databaseAway) logger.warn('the outbox cannot be read', { error })
          databaseAway = true
        },
      )
      await work.wait(POLL_MS)
    }
  }

  const renew = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (held.size > 0) await renewOutbox(pool, [...held]).catch(() => undefined) // on failure another relay also delivers them
    }
  }

  const sweep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      for (const run of RUNS) {
        if (idle.includes(run.kind)) continue
        const swept = await run.sweep(db).catch(() => 0) // the next sweep is soon enough
        if (swept > 0) logger.info(`${swept} ${run.stuck} are looked at`)
      }
      await sleep(SWEEP_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const listener = listenOutbox(databaseUrl, work.wake)
  const loops = [pump(), renew(), sweep()]
  return {
    ready,
    wake: work.wake,
    stop: async () => {
      stopping.abort()
      await Promise.all([listener.close(), ...loops])
      await Promise.all([...inFlight, away])
      await finished.flushed()
    },
  }
}

const POLL_MS = 200
const SWEEP_MS = 30_000
/** A third of a claim's lease. */
const RENEW_MS = 1_000
/** A hundredth of a claim's lease. */
const GATHER_MS = 30
/** The limit of one start or signal. */
const CALL_MS = 5_000
/** The limit of one question whether Temporal is back. */
const ASK_MS = 1_000
/** Until the worker has seen that its namespace is gone, and claims nothing: Temporal serves other questions about it for a while. */
const UNKNOWN_MS = 3_000

/** Returns a delay that starts at 1 s and doubles up to 30 s, less a random part of up to a quarter. */
function backoff(attempts: number): number {
  return Math.min(1_000 * 2 ** (attempts - 1), 30_000) * (0.75 + Math.random() / 4)
}

/** Groups rows by target, since several commits of one order need only one wake. */
function byTarget(rows: readonly OutboxRow[]): Iterable<Rows> {
  const targets = new Map<string, [OutboxRow, ...OutboxRow[]]>()
  for (const row of rows) {
    const key = `${row.kind}:${row.target}`
    const same = targets.get(key)
    if (same === undefined) targets.set(key, [row])
    else same.push(row)
  }
  return targets.values()
}

/** Asks Temporal until it serves the namespace, at most every second and a half. */
async function engineBack(count: () => Promise<unknown>, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const answers = await count().then(
      () => true,
      (error) => isForbidden(error), // the question is forbidden, so it answers
    )
    if (answers) return
    await sleep(500, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Collects ids briefly and writes them in batches, one commit at a time. Rows of a failed batch are relayed again after their lease. */
function batches(write: (ids: readonly string[]) => Promise<void>) {
  let collected: string[] = []
  let writing: Promise<void> | undefined
  const writeAll = async () => {
    while (collected.length > 0) {
      await sleep(GATHER_MS)
      const batch = collected
      collected = []
      await write(batch).catch(() => undefined)
    }
    writing = undefined
  }
  return {
    add: (ids: readonly string[]) => {
      collected.push(...ids)
      writing ??= writeAll()
    },
    flushed: async () => writing,
  }
}
