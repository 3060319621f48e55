import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { ObjectStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { Manifest } from '../../../src/contract/drop.ts'
import { registerManifest } from '../../../src/operations/drops/registerManifest.ts'
import { claimManifest, noteManifests } from '../../../src/store/drops/landedManifests.ts'
import { land, manifestOf } from '../../support/files/drops.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const deps = (drops: ObjectStorage = market.deps.drops) => ({ db: market.deps.db, drops, dropsPerDay: 500 })
const manifest = (id: string, files: Record<string, string>) => Manifest.parse(manifestOf(id, files))

/** A store whose objects come after a while; `reads` counts them. */
function slow(ms: number): ObjectStorage & { reads: number } {
  const { drops } = market.deps
  const storage = {
    ...drops,
    reads: 0,
    async get(name: string) {
      storage.reads += 1
      await sleep(ms)
      return drops.get(name)
    },
  }
  return storage
}

describe('hashing that takes longer than a request may', () => {
  it('is UNAVAILABLE, and the next request finds what was hashed meanwhile', async () => {
    const files = { 'a.csv': 'a', 'b.csv': 'b', 'c.csv': 'c' }
    await land(market, market.cable, 'd-1', files)
    const drops = slow(150)
    const first = registerManifest(deps(drops), 'cable', manifest('d-1', files), { patienceMs: 200 })
    await expect(first).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(/[012] of 3 are done/) })
    const { isReplay } = await registerManifest(deps(drops), 'cable', manifest('d-1', files), { patienceMs: 5_000 })
    expect([isReplay, drops.reads]).toEqual([false, 3])
  })

  it('is done once for requests that come together', async () => {
    const files = { 'a.csv': 'together' }
    await land(market, market.cable, 'd-2', files)
    const drops = slow(100)
    await Promise.all(
      Array.from({ length: 5 }, () => registerManifest(deps(drops), 'cable', manifest('d-2', files), { patienceMs: 5_000 })),
    )
    expect(drops.reads).toBe(1)
  })
})

describe('a file that is replaced while it is hashed', () => {
  it('is not taken for what it was', async () => {
    const files = { 'a.csv': 'before' }
    await land(market, market.cable, 'd-3', files)
    const { drops } = market.deps
    const replacing: ObjectStorage = {
      ...drops,
      async get(name) {
        const bytes = await (await drops.get(name))?.toArray()
        await land(market, market.cable, 'd-3', { 'a.csv': 'after!' })
        return bytes && Readable.from(bytes)
      },
    }
    const registering = registerManifest(deps(replacing), 'cable', manifest('d-3', files), { patienceMs: 5_000 })
    await expect(registering).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('a.csv was replaced') })
    const again = registerManifest(deps(), 'cable', manifest('d-3', files), { patienceMs: 5_000 })
    await expect(again).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'files.0.sha256' } })
  })
})

describe('a manifest.json that says reprocess', () => {
  it('registers one run, also when its look is killed right after it and another look follows', async () => {
    const files = { 'a.csv': 'd-4' }
    await land(market, market.cable, 'd-4', files)
    await noteManifests(market.deps.db, 'cable', [{ drop_id: 'd-4', tag: 't' }])
    const landed = { seller: 'cable', drop_id: 'd-4', tag: 't' }
    const again = { ...manifest('d-4', files), reprocess: true }
    const first = await registerManifest(deps(), 'cable', again, { patienceMs: 5_000, landed })
    const second = await registerManifest(deps(), 'cable', again, { patienceMs: 5_000, landed })
    expect([first.isReplay, second.isReplay, second.run.run_no]).toEqual([false, true, 1])
    expect(await claimManifest(market.deps.db, 'cable')).toBeUndefined()
    // Another landing of it is another request.
    await noteManifests(market.deps.db, 'cable', [{ drop_id: 'd-4', tag: 't2' }])
    const other = await registerManifest(deps(), 'cable', again, { patienceMs: 5_000, landed: { ...landed, tag: 't2' } })
    expect([other.isReplay, other.run.run_no]).toEqual([false, 2])
  })
})
