import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from '@temporalio/worker'
import { aborted } from './aborted.ts'
import { settable } from './settable.ts'
import type { TemporalWatch } from './watchTemporal.ts'

/**
 * The life of a process's Worker objects. They belong to a namespace as it was made once: the calls by which they wait for tasks hold one
 * that was deleted for up to a minute, and rest for up to ten seconds between two tries while Temporal is away. Hence:
 *
 * | The watch sees | What is done |
 * |---|---|
 * | Temporal, for the first time | the namespace is set up, then Workers are opened |
 * | nothing answers | the Workers stay, and their activities go on: what they have done is told once Temporal is back |
 * | the namespace is gone | the Workers are shut down, since nothing that they do can be told |
 * | Temporal again, with the same namespace | new Workers in place of the old ones, which ask for tasks at once |
 * | a namespace that was made anew | after a pause, in which all servers of Temporal learn of it, as for the first time |
 *
 * Old Workers end what they have begun while new ones work. Nothing here needs a restart of the process.
 */
export interface KeptWorkers {
  /** Resolves when the first Workers ask for tasks. */
  readonly ready: Promise<void>
  /** Rejects if Workers end by themselves, or can never be opened. Resolves after `stop`. */
  readonly ended: Promise<void>
  /**
   * Whether Workers are open on the namespace that the watch sees. While not, no run may be started: the reply to a start hands its first task
   * to a Worker, and one that is being shut down loses it for as long as a task may take.
   */
  isServing(): boolean
  /** Starts no more tasks; resolves when those in progress have ended. */
  stop(): Promise<void>
}

export interface KeepWorkersDeps {
  readonly watch: Pick<TemporalWatch, 'seen' | 'changed'>
  /** Makes a namespace ready for runs: its search attributes and schedules, and whatever must get a new run. Idempotent. */
  readonly setUp: (namespaceId: string | undefined) => Promise<void>
  readonly open: () => Promise<Worker[]>
  /** Resolves when these Workers ask for tasks, or the signal aborts. */
  readonly polling: (workers: readonly Worker[], stopping: AbortSignal) => Promise<void>
  /** Whether a failure says that an engine is away, so that what failed is tried again. */
  readonly isAway: (error: unknown) => boolean
  /** Milliseconds between the moment that a namespace made anew is seen and its first use. */
  readonly quietMs?: number
  readonly logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

/**
 * Longer than the servers of Temporal remember a namespace (two seconds), and than a dead activity can hold the endpoint that it delivers
 * to: it is told by its next heartbeat.
 */
const QUIET_MS = 8_000
const RETRY_MS = 1_000

export function keepWorkers({ watch, quietMs = QUIET_MS, logger, ...deps }: KeepWorkersDeps): KeptWorkers {
  const stopping = new AbortController()
  const stopped = aborted(stopping.signal)
  const [ready, failed] = [settable(), settable()]
  const running = new Set<Promise<void>>()
  let current: readonly Worker[] = []
  /** The making of the namespace on which the current Workers are. */
  let servedId: string | undefined
  let isServing = false
  let hasServed = false

  /** Temporal may hang for longer than a stop may take. */
  const orStop = <T>(step: Promise<T>): Promise<T> => Promise.race([step, stopped.then(() => Promise.reject(new Error('stopping')))])
  const shutDown = (): void => {
    isServing = false
    for (const one of current) if (one.getState() === 'RUNNING') one.shutdown()
    current = []
  }
  const run = (workers: readonly Worker[]): void => {
    current = workers
    // The process ends with its Workers, so that its supervisor starts another; those that were shut down end as they can.
    const end = (error: unknown) => {
      if (current === workers) failed.reject(error)
    }
    const all = Promise.all(workers.map((one) => one.run())).then(() => end(new Error('the worker has stopped without a signal')), end)
    running.add(all)
    void all.then(() => running.delete(all))
  }

  /** Opens Workers on the namespace that is seen. Fails while Temporal is away. */
  const renew = async (namespaceId: string | undefined): Promise<void> => {
    const isAnew = hasServed && namespaceId !== servedId
    shutDown()
    if (isAnew) logger.info('Temporal has the namespace anew; it is set up, and everything that is open gets its run')
    if (isAnew) await sleep(quietMs, undefined, { signal: stopping.signal })
    if (!hasServed || isAnew) await orStop(deps.setUp(namespaceId))
    const workers = await orStop(deps.open())
    run(workers)
    servedId = namespaceId
    hasServed = true
    isServing = true
    const over = new AbortController()
    const asks = deps.polling(workers, AbortSignal.any([over.signal, stopping.signal])).then(() => true)
    if (await Promise.race([asks, watch.changed().then(() => false)])) ready.resolve()
    over.abort()
  }

  /** Makes the Workers what the watch sees. Returns false if that must be tried again. */
  const follow = async (told: boolean): Promise<boolean> => {
    const seen = watch.seen()
    if (seen?.reachable === false && seen.unknown) shutDown()
    if (seen?.reachable !== true) {
      isServing = false
      return true
    }
    try {
      await renew(seen.namespaceId)
      return true
    } catch (error) {
      if (stopping.signal.aborted) return true
      if (!deps.isAway(error)) throw error
      if (!told) logger.warn('the namespace of Temporal cannot be used yet; trying again', { error })
      return false
    }
  }

  const live = async (): Promise<void> => {
    let isDone = true
    while (!stopping.signal.aborted) {
      const changed = watch.changed()
      isDone = await follow(!isDone)
      const rest = isDone ? [] : [sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)]
      await Promise.race([changed, stopped, failed.happened, ...rest])
    }
  }
  const living = live()
  living.catch(failed.reject)
  const ended = Promise.race([stopped, failed.happened])
  ended.catch(() => undefined)
  return {
    ready: ready.happened,
    ended,
    isServing: () => isServing,
    stop: async () => {
      stopping.abort()
      await living.catch(() => undefined)
      shutDown()
      await Promise.all(running)
    },
  }
}
