import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import type { DropResult } from '../../../src/contract/drop.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import type { DropName } from '../../../src/store/drops/dropRun.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../files/temporaryFolder.ts'
import { bookOrders } from '../settlement/bookOrders.ts'
import { useMarket } from '../useMarket.ts'
import { type FileToDrop, ingest, landDrop } from './drops.ts'

/** Provides a market with booked orders of one unit each, whose sellers send rows in drops. Each test begins without rows. */
export function useSellerRows() {
  const market = useMarket()
  let folder: TemporaryFolder
  let deps: StageDeps
  let made = 0
  const landed: DropName[] = []
  const land = async (files: FileToDrop | readonly FileToDrop[], seller = 'station'): Promise<void> => {
    made += 1
    const name = { seller, drop_id: `rows-${made}` }
    await landDrop(deps, name, [files].flat())
    landed.push(name)
  }
  const run = async (): Promise<DropResult> => {
    for (const name of landed) await ingest(deps, name)
    const { seller, drop_id } = landed.splice(0).at(-1) as DropName
    return JSON.parse((await readDrop(deps.db, seller, drop_id))?.result ?? 'null')
  }
  beforeAll(async () => {
    folder = await temporaryFolder()
    deps = { db: market.deps.db, drops: market.deps.drops, spool: openSpool(folder.path), productsPerSeller: 100 }
    await bookOrders(
      market.deps.db,
      { order_id: 'ord_1', seller_order_id: 'S-1', external_order_id: 'ext-1', units: ['u1'], isci: ['ONE'] },
      { order_id: 'ord_2', seller_order_id: 'S-2', external_order_id: 'twice', units: ['u2'], isci: ['TWO', 'BOTH'] },
      { order_id: 'ord_3', seller_order_id: 'S-3', external_order_id: 'twice', units: ['u3'], isci: ['THREE', 'BOTH'] },
      { order_id: 'ord_other', seller: 'cable', seller_order_id: 'S-9', external_order_id: 'ext-9', units: ['u9'], isci: ['NINE'] },
    )
  })
  afterAll(() => folder.remove())
  const rows = async (sql: string, ...values: unknown[]) => (await market.deps.db.pool.query(sql, values)).rows
  beforeEach(async () => {
    for (const table of ['as_run_days', 'as_run_rows', 'as_run_undecided', 'seller_invoices', 'billed_rows', 'post_rows', 'reconcile_due'])
      await rows(`delete from ${table}`)
    // So that the bytes of an earlier test are no replay.
    await rows('update drops set is_replaced = true')
  })
  return {
    market,
    rows,
    /** Removes the marks of the seller and returns the orders that had one. */
    due: async (): Promise<string[]> =>
      (await rows(`delete from reconcile_due where seller = 'station' returning order_id`)).map(({ order_id }) => order_id).sort(),
    /** Registers a drop without running it. */
    land,
    /** Runs what is registered, and returns the result of the newest drop. */
    run,
    async drop(files: FileToDrop | readonly FileToDrop[], seller = 'station'): Promise<DropResult> {
      await land(files, seller)
      return run()
    },
  }
}

export const posts = (...entries: object[]): FileToDrop => ({
  filename: 'posts.jsonl',
  type: 'delivery_posts',
  text: entries.map((entry) => JSON.stringify(entry)).join('\n'),
})

export const logged = (more: object = {}) => ({
  ...{
    record_type: 'as_run',
    order_id: 'ord_1',
    network: 'CBL',
    air_date: '2026-12-07',
    air_time: '20:10',
    spot_length: 30,
    status: 'Aired',
  },
  ...more,
})

export const billed = (more: object = {}) => ({
  ...{ record_type: 'invoice', order_id: 'ord_1', network: 'CBL', air_date: '2026-12-07', air_time: '20:10', spot_length: 30, rate: 100 },
  ...{ invoice_number: 'I-1', invoice_date: '2026-12-28', broadcast_month: '2026-12', currency: 'USD', run_code: 'Y' },
  ...more,
})

export const posted = (more: object = {}) => ({
  ...{ record_type: 'post', order_id: 'ord_1', unit_id: 'u1', network: 'CBL', air_date: '2026-12-07' },
  ...{ audience_code: 'A25-54', stream: 'C3', impressions: 1000.5, final: true },
  ...more,
})
