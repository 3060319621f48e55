import type { Database } from '../connection/database.ts'
import { statement, unnested } from '../connection/statement.ts'
import { type FeedPosition, HORIZON } from './feed.ts'

/** Waits for the next event on behalf of many tenants, with one statement at a time and no dedicated connection. */
export interface FeedWatch {
  /** Resolves to true once the tenant has an event after the position; false after `milliseconds`, once `gone` aborts, or on close. */
  next(tenant: string, after: FeedPosition, milliseconds: number, gone: AbortSignal): Promise<boolean>
  /** Checks for events immediately. Call it after a commit of this process; the next regular check finds commits of other processes. */
  notify(): void
  /** Ends every wait immediately and allows no new ones. */
  close(): void
}

interface Waiter {
  readonly tenant: string
  readonly after: FeedPosition
  readonly end: (found: boolean) => void
}

/** Milliseconds between regular checks while somebody waits: a feed's horizon also moves, unnotified, when an older transaction ends. */
const LOOK_MS = 100

export function watchFeed(db: Pick<Database, 'as'>, lookMs = LOOK_MS): FeedWatch {
  const waiters = new Set<Waiter>()
  let closed = false
  let looking = false
  let wakeLook: (() => void) | undefined

  const look = async (): Promise<void> => {
    const asked = [...waiters]
    const { pool } = db.as([...new Set(asked.map(({ tenant }) => tenant))])
    const { rows } = await pool.query<{ place: number }>(
      FOUND.bind({
        tenants: asked.map(({ tenant }) => tenant),
        txids: asked.map(({ after }) => after.txid),
        positions: asked.map(({ after }) => after.position),
      }),
    )
    for (const { place } of rows) asked[place - 1]?.end(true)
  }
  const lookWhileWaited = async (): Promise<void> => {
    looking = true
    while (waiters.size > 0) {
      await look().catch(() => undefined) // finds nothing while the database is away, which the waiter's next request reports
      if (waiters.size > 0) await woken()
    }
    looking = false
  }
  const woken = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookMs)
      wakeLook = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    next: (tenant, after, milliseconds, gone) =>
      new Promise((resolve) => {
        if (closed || gone.aborted || milliseconds <= 0) return resolve(false)
        const end = (found: boolean) => {
          waiters.delete(waiter)
          clearTimeout(timer)
          gone.removeEventListener('abort', onGone)
          resolve(found)
        }
        const onGone = () => end(false)
        const waiter: Waiter = { tenant, after, end }
        const timer = setTimeout(onGone, milliseconds)
        gone.addEventListener('abort', onGone)
        waiters.add(waiter)
        if (!looking) void lookWhileWaited()
      }),
    notify: () => wakeLook?.(),
    close: () => {
      closed = true
      for (const { end } of [...waiters]) end(false)
      wakeLook?.()
    },
  }
}

/** Finds the waiters with an event that is now readable. Follows the index order, or a plan would read the whole feed for each waiter. */
const FOUND = statement(
  'found-in-feed',
  ['tenants', 'txids', 'positions'],
  `select place::int from ${unnested({ tenants: 'text', txids: 'text', positions: 'bigint' })} with ordinality as waiter(tenant, txid, position, place)
    cross join lateral (
      select from feed f where f.tenant = waiter.tenant and (f.txid, f.position) > (waiter.txid::xid8, waiter.position) and f.txid < ${HORIZON}
        order by f.txid, f.position limit 1
    ) next`,
)
