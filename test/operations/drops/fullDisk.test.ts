import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { dropActivities } from '../../../activities/drops.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { BUNDLE, writtenBy } from '../../support/drops/bundle.ts'
import { ingest, landDrop, STAGES } from '../../support/drops/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { useApp } from '../../support/useApp.ts'
import { smallDisk } from './smallDisk.ts'

const disk = await smallDisk(24 * 1024 * 1024)
afterAll(() => disk?.remove())

;(disk === undefined ? describe.skip : describe)('a drop whose spool is on a full disk', () => {
  const app = useApp()
  const name = { seller: 'station', drop_id: 'full' }
  let elsewhere: TemporaryFolder
  let deps: StageDeps
  beforeEach(async () => {
    elsewhere = await temporaryFolder()
    deps = { db: app.deps.db, drops: app.deps.drops, spool: openSpool(disk?.path ?? ''), productsPerSeller: 100 }
  })
  app.beforeStop(() => elsewhere.remove())

  const state = () => readDrop(app.deps.db, 'station', 'full')
  type Stages = ReturnType<typeof dropActivities>
  const runs = (stage: keyof Stages) => new MockActivityEnvironment().run(dropActivities(deps)[stage], 'station/full')

  it('waits in the stage that finds it full, says so to its seller, and writes what its twin writes when there is room', async () => {
    for (const seller of ['cable', 'station'])
      await bookOrders(app.deps.db, { order_id: `ord_${seller}`, seller, seller_order_id: 'S-1', units: ['u'] })
    const twin = { seller: 'cable', drop_id: 'twin' }
    const twinDeps = { ...deps, spool: openSpool(elsewhere.path) }
    await landDrop(twinDeps, twin, BUNDLE)
    await ingest(twinDeps, twin)

    await landDrop(deps, name, BUNDLE)
    await disk?.fill(200_000)
    await expect(runs('fetchDrop')).rejects.toMatchObject({ type: 'disk_full' })
    expect(await state()).toMatchObject({ status: 'processing', stage: 'fetch', stuck_reason: 'disk_full' })
    await disk?.free()
    for (const stage of ['fetch', 'publish'] as const) await STAGES[stage](deps, name, new AbortController().signal)
    await disk?.fill(100_000)
    await expect(runs('mergeDropAvails')).rejects.toMatchObject({ type: 'disk_full' })
    expect(await state()).toMatchObject({ status: 'processing', stage: 'avails', stuck_reason: 'disk_full' })
    await disk?.free()
    await ingest(deps, name)
    expect(await state()).toMatchObject({ stage: 'ended', stuck_reason: null })
    expect(await writtenBy(app.deps.db.pool, 'station', 'full')).toEqual(await writtenBy(app.deps.db.pool, 'cable', 'twin'))
  }, 120_000)
})
