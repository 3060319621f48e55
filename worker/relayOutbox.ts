import { setTimeout as sleep } from 'node:timers/promises'
import type { NativeConnection } from '@temporalio/worker'
import { newWakeSignal } from '../activities/wakeSignal.ts'
import { fairTurns } from '../src/domain/fairTurns.ts'
import { tracedIn } from '../src/metrics/tracing.ts'
import { OUTBOX_CARRIED } from '../src/metrics/work.ts'
import { claimOutbox, finishOutbox, listenOutbox, type OutboxRow, releaseOutbox, renewOutbox } from '../src/store/orders/outbox.ts'
import type { Left, WakeDeps } from './runKind.ts'
import { isKind, RUNS, runOf } from './runs.ts'
import { isUnreachable } from './temporalErrors.ts'

export interface Relay {
  /** It has looked into the outbox for the first time. */
  readonly ready: Promise<void>
  /** Something waits in the outbox. */
  wake(): void
  /** Claims nothing more, and finishes what it has begun; what the dispatcher has begun, once that is closed. */
  stop(): Promise<void>
}

export interface RelayDeps extends WakeDeps {
  /** Where notifications are heard. */
  databaseUrl: string
  /** The worker's own connection and a client on it, so that runs start eagerly. */
  connection: NativeConnection
  /** Kinds of runs that this worker cannot advance: it does not wake those that stand still. */
  idle?: readonly string[]
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

/** Starts relaying outbox rows to Temporal. Several relays may run concurrently. Loses no row and may relay a row twice. */
export function startRelay({
  db,
  databaseUrl,
  connection,
  client,
  validate,
  dispatcher,
  startsEagerly,
  idle = [],
  logger,
}: RelayDeps): Relay {
  const { pool } = db
  const deps: WakeDeps = { client, db, validate, dispatcher, startsEagerly }
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  /** What this process does itself. */
  const working = new Set<Promise<void>>()
  const held = new Set<string>()
  /** Of runs that are woken after all, once this process has done what it could: all of them may be at the same time. */
  const turns = fairTurns({ permits: IN_FLIGHT / 2 })
  const finished = batches((ids) => finishOutbox(pool, ids))
  const work = newWakeSignal()
  stopping.signal.addEventListener('abort', work.wake)
  let moreWaits = false
  /** While the engine does not answer: until it does. */
  let away: Promise<void> | undefined
  let databaseAway = false
  let looked: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    looked = resolve
  })

  const carry = async (rows: Rows): Promise<void> => {
    hold(rows)
    await wakeRun(rows)
  }

  /** What this process does itself takes no place of those that ask the engine: a row is held until it is done. */
  const keep = async (rows: Rows, work: Promise<Left>): Promise<void> => {
    hold(rows)
    const left = await work.catch((error) => failed(rows, error))
    if (left === undefined) return
    if (left === 'nothing') return done(rows)
    if (left !== 'wake') return release(rows, left.again)
    const giveBack = await turns.take(newestOf(rows).kind)
    const isLeft = away !== undefined || stopping.signal.aborted
    await (isLeft ? release(rows, away === undefined ? 0 : AWAY_MS) : inPlace(wakeRun(rows))).finally(giveBack)
  }

  const wakeRun = async (rows: Rows): Promise<void> => {
    const newest = newestOf(rows)
    const wake = async () => {
      const run = runOf(newest.kind)
      const ready = (await run.prepare?.(deps, newest)) ?? newest
      await connection.withAbortSignal(AbortSignal.timeout(CALL_MS), () => run.wake(deps, ready, run))
    }
    const carried = { name: `carry ${newest.kind}`, kind: 'consumer', attributes: { 'marketplace.order_id': newest.target } } as const
    await tracedIn(newest.traceparent, carried, wake).then(
      () => done(rows),
      (error) => failed(rows, error),
    )
  }

  const hold = (rows: Rows): void => {
    for (const { outbox_id } of rows) held.add(outbox_id)
  }
  const done = (rows: Rows): void => {
    const ids = letGo(rows)
    finished.add(ids)
    OUTBOX_CARRIED.inc({ kind: newestOf(rows).kind, outcome: 'carried' }, ids.length)
  }
  const failed = async (rows: Rows, error: unknown): Promise<undefined> => {
    const { kind, target } = newestOf(rows)
    const unreachable = isUnreachable(error)
    OUTBOX_CARRIED.inc({ kind: isKind(kind) ? kind : 'unknown', outcome: unreachable ? 'unreachable' : 'failed' }, rows.length)
    if (unreachable) awaitEngine()
    else logger.warn(`the run of ${kind} ${target} could not be woken`, { error, ...(kind === 'order' ? { order_id: target } : {}) })
    // While the engine is away nothing is claimed that needs it, so these need no longer wait than that.
    await release(rows, unreachable ? 0 : backoff(Math.max(...rows.map(({ attempts }) => attempts))))
  }
  const release = (rows: Rows, delay: number): Promise<void> => releaseOutbox(pool, letGo(rows), delay).catch(() => undefined)
  const letGo = (rows: Rows): string[] => {
    const ids = rows.map(({ outbox_id }) => outbox_id)
    for (const id of ids) held.delete(id)
    return ids
  }

  /** Takes one of the places of what asks the engine. */
  const inPlace = (carrying: Promise<void>): Promise<void> => {
    const carried = carrying.finally(() => {
      inFlight.delete(carried)
      if (moreWaits && inFlight.size <= IN_FLIGHT / 2) work.wake()
    })
    inFlight.add(carried)
    return carried
  }

  const claim = async (): Promise<void> => {
    if (away !== undefined && dispatcher === undefined) return
    const free = IN_FLIGHT - inFlight.size
    if (free < IN_FLIGHT / 4) {
      moreWaits = true
      return
    }
    // A relay that has stood still finds what it holds itself, which this claim renews.
    const mine = new Set(held)
    const claimed = await claimOutbox(pool, free, away === undefined ? 'all' : 'endpoint')
    moreWaits = claimed.length === free
    for (const sameTarget of byTarget(claimed.filter(({ outbox_id }) => !mine.has(outbox_id)))) begin(sameTarget)
    if (moreWaits) work.wake()
  }

  const begin = (rows: Rows): void => {
    const newest = newestOf(rows)
    const here = isKind(newest.kind) ? runOf(newest.kind).work?.({ dispatcher }, newest) : undefined
    if (here === undefined) return void (away === undefined ? inPlace(carry(rows)) : release(rows, AWAY_MS))
    const kept = keep(rows, here).finally(() => {
      working.delete(kept)
    })
    working.add(kept)
  }

  const awaitEngine = (): void => {
    if (away !== undefined) return
    logger.warn('Temporal is away; what waits for it is kept')
    away = engineBack(connection, stopping.signal).then(() => {
      away = undefined
      if (!stopping.signal.aborted) logger.info('Temporal is back')
      work.wake()
    })
  }

  const pump = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // With the database away there is nothing to claim, and the next poll finds out whether it is back.
      await claim().then(
        () => {
          databaseAway = false
          looked()
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
      if (held.size > 0) await renewOutbox(pool, [...held]).catch(() => undefined) // then another relay delivers them as well
    }
  }

  const sweep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      for (const run of RUNS) {
        if (idle.includes(run.kind)) continue
        const swept = await run.sweep(db).catch(() => 0) // the next round is soon enough
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
      await Promise.all([...inFlight, ...working, away])
      await finished.flushed()
    },
  }
}

const IN_FLIGHT = 32
const POLL_MS = 200
/** Until an endpoint whose run cannot be woken, as the engine is away, is looked at again. */
const AWAY_MS = 5_000
const SWEEP_MS = 30_000
/** A third of the lease of a claim. */
const RENEW_MS = 1_000
/** A hundredth of the lease of a claim. */
const GATHER_MS = 30
/** Of one start or signal. By a signal: a deadline would bound each of the connection's own tries, ten seconds in all. */
const CALL_MS = 5_000

/** 1 s, doubling to 30 s, of which up to a quarter is chance. */
function backoff(attempts: number): number {
  return Math.min(1_000 * 2 ** (attempts - 1), 30_000) * (0.75 + Math.random() / 4)
}

/** Of one target, in the order of their commits. */
type Rows = readonly [OutboxRow, ...OutboxRow[]]

function newestOf(rows: Rows): OutboxRow {
  return rows.at(-1) ?? rows[0]
}

/** Several commits of one order need one look. */
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

/** Asks until the engine answers, every second and a half. */
async function engineBack(connection: NativeConnection, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const ask = connection.withAbortSignal(AbortSignal.timeout(1_000), () => connection.workflowService.getSystemInfo({}))
    if (
      await ask.then(
        () => true,
        () => false,
      )
    )
      return
    await sleep(500, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Collects ids for a moment and writes them in batches, one at a time: each is a commit. The rows of a failed batch are relayed again when their lease expires. */
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
