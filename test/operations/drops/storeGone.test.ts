import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fetchDrop } from '../../../src/operations/drops/fetchDrop.ts'
import { lookAtManifest } from '../../../src/operations/drops/lookAtManifest.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { claimManifest, noteManifests } from '../../../src/store/drops/landedManifests.ts'
import { ingest } from '../../support/drops/drops.ts'
import { land, manifestOf, putFile, register, registered } from '../../support/files/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The directory of the drops is unmounted while the service runs: nothing of it is missing, and whoever needs it waits. */
const market = useMarket()
let folder: TemporaryFolder
let deps: StageDeps
const root = () => join(market.dataDir, 'drops')
const files = { 'avails.csv': 'product_id,period.grain,period.start,state\n' }
const name = { seller: 'cable', drop_id: 'gone' }

beforeAll(async () => {
  folder = await temporaryFolder()
  deps = { db: market.deps.db, drops: market.deps.drops, spool: openSpool(folder.path), productsPerSeller: 100 }
  await registered(market, market.cable, name.drop_id, files)
  await land(market, market.cable, 'waits', { 'a.csv': 'waits' })
})
afterAll(() => folder.remove())

async function away<T>(work: () => Promise<T>): Promise<T> {
  await rename(root(), `${root()}-away`)
  try {
    return await work()
  } finally {
    await rename(`${root()}-away`, root())
  }
}

describe('while the directory of the drops is gone', () => {
  it('the API answers 503 to files and manifests', async () => {
    await away(async () => {
      const put = await putFile(market, market.cable, 'other', 'a.csv', 'x')
      const posted = await register(market.cable, 'waits', { 'a.csv': 'waits' })
      expect([put.status, put.body.error_code, posted.status, posted.body.error_code]).toEqual([503, 'UNAVAILABLE', 503, 'UNAVAILABLE'])
      expect(posted.headers['retry-after']).toBeDefined()
    })
    expect((await register(market.cable, 'waits', { 'a.csv': 'waits' })).status).toBe(202)
  })

  it('a manifest.json is looked at again', async () => {
    await land(market, market.station, 'later', {
      'a.csv': 'later',
      'manifest.json': JSON.stringify(manifestOf('later', { 'a.csv': 'later' })),
    })
    await noteManifests(deps.db, 'station', [{ drop_id: 'later', tag: 'seen' }])
    const look = { ...deps, dropsPerDay: 500 }
    const landed = await claimManifest(deps.db, 'station')
    await expect(away(() => lookAtManifest(look, landed as NonNullable<typeof landed>))).rejects.toMatchObject({ name: 'StorageFault' })
    const { rows } = await deps.db.pool.query(`select is_done from landed_manifests where drop_id = 'later'`)
    expect(rows).toEqual([{ is_done: false }])
  })

  it('a drop waits for its files and is not rejected', async () => {
    await expect(away(() => fetchDrop(deps, name, new AbortController().signal))).rejects.toMatchObject({ reason: 'storage_unavailable' })
    expect(await readDrop(deps.db, 'cable', 'gone')).toMatchObject({ status: 'processing', stage: 'fetch' })
    expect(await ingest(deps, name)).toEqual(['fetch', 'publish', 'avails', 'posts', 'finish'])
    expect(await readDrop(deps.db, 'cable', 'gone')).toMatchObject({ status: 'success' })
  })
})
