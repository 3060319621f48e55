import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BATCH_CHARACTERS } from './batches.ts'
import { TOO_LONG } from './databaseFault.ts'
import { poolForAll, sharedPool } from './tenantScope.ts'

export interface Grouping {
  /** The most asks per run. */
  max: number
  /** The most concurrent runs. */
  inFlight: number
  /** The minimum time from the start of a run until another takes its place, so that successive asks are grouped. No minimum if omitted. */
  leastMs?: number
  /**
   * How long a run has the database to itself before another starts beside it: asks group while runs are quick, and a slow run delays others
   * no longer than this. Runs start beside one another immediately if omitted.
   */
  aloneMs?: number
}

/** Returns about how many characters of text an ask adds to a run, which ends at 1 MiB. */
type SizeOf<Ask> = (ask: Ask) => number

/**
 * Batches single asks into runs over many. Asks that arrive while `inFlight` runs are active wait, then run together in order of arrival.
 * An ask that arrives alone runs immediately. If the database refuses a run, each of its asks is repeated alone, so that one cannot fail
 * another. A run whose connection was lost is not repeated, since its progress is unknown. A run sees only what its asks may see together.
 */
export function batched<Ask, Answer>(
  run: (pool: pg.Pool, asks: readonly Ask[]) => Promise<readonly Answer[]>,
  grouping: Grouping = { max: 64, inFlight: 2 },
  sizeOf: SizeOf<Ask> = () => 0,
): (pool: pg.Pool, ask: Ask) => Promise<Answer> {
  const ofPool = new WeakMap<pg.Pool, (asked: Asked<Ask>) => Promise<Answer>>()
  return (pool, ask) => {
    const shared = sharedPool(pool)
    const grouped = ofPool.get(shared) ?? groupsOf(run, grouping, sizeOf)
    ofPool.set(shared, grouped)
    return grouped({ pool, ask })
  }
}

/** An ask, and the pool in the scope of its caller. */
interface Asked<Ask> {
  readonly pool: pg.Pool
  readonly ask: Ask
}

function groupsOf<Ask, Answer>(
  run: (pool: pg.Pool, asks: readonly Ask[]) => Promise<readonly Answer[]>,
  { max, inFlight, leastMs, aloneMs = 0 }: Grouping,
  sizeOf: SizeOf<Ask>,
): (asked: Asked<Ask>) => Promise<Answer> {
  type Waiting = Asked<Ask> & { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let running = 0
  let called = false
  /** Runs while the latest run is alone. */
  let sharing: NodeJS.Timeout | undefined

  const one = async ({ pool, ask, resolve, reject }: Waiting): Promise<void> => {
    await run(pool, [ask]).then(([answer]) => resolve(answer as Answer), reject)
  }
  const together = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const pool = poolForAll(group.map((asked) => asked.pool))
      const asks = group.map(({ ask }) => ask)
      const answers = await run(pool, asks)
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (isRefused(error) && group.length > 1) await Promise.all(group.map(one))
      else for (const { reject } of group) reject(error)
    }
  }
  /** Returns the number of waiting asks that the next run takes. */
  const nextGroup = (): number => {
    let characters = 0
    for (const [index, { ask }] of waiting.slice(0, max).entries()) {
      characters += sizeOf(ask)
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
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...asked, resolve, reject })
      // Waits until everything that has arrived is read, so that those asks run together.
      if (!called && running < inFlight) setImmediate(flush)
      called = true
    })
}

/** Excludes class 57: the server stops and connections are about to be lost. Includes one that took too long, perhaps for one item. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === TOO_LONG || !error.code?.startsWith('57'))
}
