import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../src/store/connection/database.ts'

/** Waits until every event written so far can be read from the feed, which shows nothing above the oldest open transaction of the server. */
export async function feedSettled({ pool }: Pick<Database, 'pool'>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const { rows } = await pool.query('select coalesce(max(txid) < feed_horizon(), true) as settled from feed')
    if (rows[0]?.settled === true) return
    await sleep(10)
  }
  throw new Error('a transaction on the test server stays open: the feed never settles')
}
