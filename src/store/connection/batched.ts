import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BATCH_CHARACTERS } from './batches.ts'
import { TOO_LONG } from './databaseFault.ts'
import { poolForAll, sharedPool } from './tenantScope.ts'

export interface Grouping {
  /** The most requests per run. */
  max: number
  /** The most concurrent runs. */
  inFlight: number
  /** The minimum time from the start of a run until another takes its place, so that successive requests are grouped. No minimum if omitted. */
  leastMs?: number
  /**
   * How long a run has the database to itself before another starts beside it: requests group while runs are quick, and a slow run delays others
   * no longer than this. Runs start beside one another immediately if omitted.
   */
  aloneMs?: number
}

/** Returns about how many characters of text a request adds to a run, which ends at 1 MiB. */
type SizeOf<Request> = (request: Request) => number

/**
 * Batches single requests into runs over many. Requests that arrive while `inFlight` runs are active wait, then run together in order of arrival.
 * A request that arrives alone runs immediately. If the database refuses a run, each of its requests is repeated alone, so that one cannot fail
 * another. A run whose connection was lost is not repeated, since its progress is unknown. A run sees only what its requests may see together.
 */
export function batched<Request, Answer>(
  run: (pool: pg.Pool, requests: readonly Request[]) => Promise<readonly Answer[]>,
  grouping: Grouping = { max: 64, inFlight: 2 },
  sizeOf: SizeOf<Request> = () => 0,
): (pool: pg.Pool, request: Request) => Promise<Answer> {
  const ofPool = new WeakMap<pg.Pool, (pooled: PooledRequest<Request>) => Promise<Answer>>()
  return (pool, request) => {
    const shared = sharedPool(pool)
    const grouped = ofPool.get(shared) ?? groupsOf(run, grouping, sizeOf)
    ofPool.set(shared, grouped)
    return grouped({ pool, request })
  }
}

/** A request, and the pool in the scope of its caller. */
interface PooledRequest<Request> {
  readonly pool: pg.Pool
  readonly request: Request
}

function groupsOf<Request, Answer>(
  run: (pool: pg.Pool, requests: readonly Request[]) => Promise<readonly Answer[]>,
  { max, inFlight, leastMs, aloneMs = 0 }: Grouping,
  sizeOf: SizeOf<Request>,
): (pooled: PooledRequest<Request>) => Promise<Answer> {
  type Waiting = PooledRequest<Request> & { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let running = 0
  let called = false
  /** Runs while the latest run is alone. */
  let sharing: NodeJS.Timeout | undefined

  const one = async ({ pool, request, resolve, reject }: Waiting): Promise<void> => {
    await run(pool, [request]).then(([answer]) => resolve(answer as Answer), reject)
  }
  const together = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const pool = poolForAll(group.map((pooled) => pooled.pool))
      const requests = group.map(({ request }) => request)
      const answers = await run(pool, requests)
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (isRefused(error) && group.length > 1) await Promise.all(group.map(one))
      else for (const { reject } of group) reject(error)
    }
  }
  /** Returns the number of waiting requests that the next run takes. */
  const nextGroup = (): number => {
    let characters = 0
    for (const [index, { request }] of waiting.slice(0, max).entries()) {
      characters += sizeOf(request)
      if (index > 0 && characters > BATCH_CHARACTERS) return index
    }
    return max
  }
  const flush = (): void => {
    called = false
    while (running < inFlight && sharing === undefined && waiting.length > 0) {
      running += 1
      const share = aloneMs === 0 ? undefined : beAlone()
      void Promise.all([together(waiting.splice(0, nextGroup())), leastMs && sleep(leastMs)]).then(() => {
        running -= 1
        share?.()
        flush()
      })
    }
  }
  /** Keeps others from starting beside a run until the time is over or the function that it returns is called. */
  const beAlone = (): (() => void) => {
    const timer = setTimeout(() => {
      sharing = undefined
      flush()
    }, aloneMs)
    sharing = timer
    return () => {
      clearTimeout(timer)
      if (sharing === timer) sharing = undefined
    }
  }
  return (pooled) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...pooled, resolve, reject })
      // Waits until everything that has arrived is read, so that those requests run together.
      if (!called && running < inFlight) setImmediate(flush)
      called = true
    })
}

/** Excludes class 57: the server stops and connections are about to be lost. Includes one that took too long, perhaps for one item. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === TOO_LONG || !error.code?.startsWith('57'))
}
