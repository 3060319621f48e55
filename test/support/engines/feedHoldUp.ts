import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../src/store/connection/database.ts'
import { FEED_START, readFeed } from '../../../src/store/delivery/feed.ts'
import { announce } from '../../../src/store/delivery/notices.ts'

const EVERYTHING = { events: undefined, statuses: undefined }

/**
 * Returns the longest time, in milliseconds, for which a committed event could not be read from the feed while `work` was running. The
 * events are notices of a seller to one reader, who has no part in the work, so only another's open transaction can hold them back.
 */
export async function feedHoldUp(
  db: Database,
  { seller, reader }: { readonly seller: string; readonly reader: string },
  work: Promise<unknown>,
): Promise<number> {
  let working = true
  const end = () => {
    working = false
  }
  work.then(end, end)
  let worst = 0
  let { last } = await readFeed(db, reader, FEED_START, EVERYTHING, 500)
  while (working) {
    const notice = { event_type: 'catalog.integrity_failed' as const, seller, occurred_at: new Date().toISOString() }
    await db.sql.transaction().execute((tx) => announce(tx, [{ ...notice, shown: [{ to: [reader], data: {} }] }]))
    const committed = performance.now()
    for (let seen = 0; seen === 0; ) {
      const page = await readFeed(db, reader, last, EVERYTHING, 500)
      seen = page.events.length
      last = page.last
      if (seen === 0) await sleep(5)
    }
    worst = Math.max(worst, performance.now() - committed)
    await sleep(20)
  }
  await work
  return Math.round(worst)
}
