import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { ObjectStorage } from '../../src/adapters/objectStorage.ts'
import { noteManifests } from '../../src/store/drops/landedManifests.ts'
import { type ManifestLooks, manifestLooks } from '../../worker/manifestLooks.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let looks: ManifestLooks | undefined
afterEach(() => looks?.stop())

const note = (seller: string, count: number) =>
  noteManifests(
    market.deps.db,
    seller,
    Array.from({ length: count }, (_, n) => ({ drop_id: `l-${n}`, tag: 't' })),
  )

/** Looks whose store takes so long; they are noted by seller. */
function begin(msOf: (seller: string) => number): { seen: string[]; atOnce: () => number } {
  const seen: string[] = []
  const running = new Map<string, number>()
  let most = 0
  const drops: ObjectStorage = {
    ...market.deps.drops,
    async stat(name) {
      const [seller = ''] = name.split('/')
      seen.push(seller)
      running.set(seller, (running.get(seller) ?? 0) + 1)
      most = Math.max(most, ...running.values())
      await sleep(msOf(seller))
      running.set(seller, (running.get(seller) ?? 1) - 1)
      return undefined
    },
  }
  looks = manifestLooks({ db: market.deps.db, drops, dropsPerDay: 500, logger: { warn: () => undefined } })
  return { seen, atOnce: () => most }
}

describe('looks at manifests that have landed', () => {
  it('are one of a seller at a time, and a seller whose looks are slow keeps no other waiting', async () => {
    await note('cable', 40)
    await note('station', 20)
    const { seen, atOnce } = begin((seller) => (seller === 'cable' ? 1_000 : 1))
    for (let wakes = 0; wakes < 50; wakes += 1) looks?.wake()
    await until(() => seen.filter((seller) => seller === 'station').length === 20)
    // By rounds, it would have waited for twenty looks of the other.
    expect(seen.filter((seller) => seller === 'cable').length).toBeLessThan(15)
    expect(atOnce()).toBe(1)
  })

  it('find what is noted while they run', async () => {
    const { seen } = begin(() => 20)
    for (let n = 0; n < 10; n += 1) {
      await noteManifests(market.deps.db, 'station', [{ drop_id: `n-${n}`, tag: 't' }])
      looks?.wake()
      await until(() => seen.filter((seller) => seller === 'station').length >= n + 1)
    }
  })
})
