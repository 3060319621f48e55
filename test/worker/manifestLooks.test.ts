import { afterEach, describe, expect, it } from '@jest/globals'
import type { ObjectStorage } from '../../src/adapters/files/objectStorage/storage.ts'
import { noteManifests } from '../../src/store/drops/landedManifests.ts'
import { type ManifestLooks, manifestLooks } from '../../worker/manifestLooks.ts'
import { moment } from '../support/hookedDatabase.ts'
import { settled, until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let looks: ManifestLooks | undefined
const said: string[] = []
afterEach(async () => {
  await looks?.stop()
  expect(said).toEqual([])
})

const note = (seller: string, count: number) =>
  noteManifests(
    market.deps.db,
    seller,
    Array.from({ length: count }, (_, n) => ({ drop_id: `l-${n}`, tag: 't' })),
  )

/** Looks whose store answers a seller when `answered` says so; they are noted by seller. */
function begin(answered: (seller: string) => Promise<void>): { seen: string[]; atOnce: () => number } {
  const seen: string[] = []
  const running = new Map<string, number>()
  let max = 0
  const drops: ObjectStorage = {
    ...market.deps.drops,
    async stat(name) {
      const [seller = ''] = name.split('/')
      seen.push(seller)
      running.set(seller, (running.get(seller) ?? 0) + 1)
      max = Math.max(max, ...running.values())
      await answered(seller)
      running.set(seller, (running.get(seller) ?? 1) - 1)
      return undefined
    },
  }
  looks = manifestLooks({ db: market.deps.db, drops, dropsPerDay: 500, logger: { warn: (message) => void said.push(message) } })
  return { seen, atOnce: () => max }
}

describe('looks at manifests that have landed', () => {
  it('are one of a seller at a time, and a seller whose looks are slow keeps no other waiting', async () => {
    await note('cable', 40)
    await note('station', 20)
    const over = moment()
    const { seen, atOnce } = begin((seller) => (seller === 'cable' ? over.has : settled()))
    for (let wakes = 0; wakes < 50; wakes += 1) looks?.wake()
    const looksAt = (seller: string) => seen.filter((one) => one === seller).length
    await until(() => looksAt('station') === 20 && looksAt('cable') > 0)
    expect(looksAt('cable')).toBe(1)
    over.come()
    await until(() => looksAt('cable') === 40)
    expect(atOnce()).toBe(1)
  })

  it('find what is noted while they run', async () => {
    const answers: (() => void)[] = []
    const { seen } = begin(() => new Promise((answer) => answers.push(answer)))
    for (let n = 0; n < 10; n += 1) {
      await noteManifests(market.deps.db, 'station', [{ drop_id: `n-${n}`, tag: 't' }])
      looks?.wake()
      answers.shift()?.() // of the look before
      await until(() => seen.length === n + 1)
    }
    answers.shift()?.()
  })

  it('are made of each manifest once by two workers', async () => {
    const landed = Array.from({ length: 20 }, (_, n) => ({ drop_id: `two-${n}`, tag: 't' }))
    await noteManifests(market.deps.db, 'cable', landed)
    const first = begin(settled)
    const other = looks
    const second = begin(settled)
    for (const each of [other, looks]) each?.wake()
    await until(() => first.seen.length + second.seen.length === 20)
    await other?.stop()
  })

  it('are of four sellers at a time, and a stop waits for those that are under way', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `many-${n}`)
    await market.owner().query(`insert into tenants (entity, side, name) select name, 'seller', 'n' from unnest($1::text[]) name`, [names])
    await market.owner().query(`insert into sellers (seller, profile) select name, '{}' from unnest($1::text[]) name`, [names])
    for (const name of names) await note(name, 1)
    const over = moment()
    const { seen } = begin(() => over.has)
    for (let wakes = 0; wakes < 10; wakes += 1) looks?.wake()
    await until(() => seen.length === 4)
    let isOver = false
    const stopping = looks?.stop().then(() => {
      isOver = true
    })
    await settled()
    expect([isOver, new Set(seen).size]).toEqual([false, 4])
    over.come()
    await stopping
    looks?.wake()
    await settled()
    expect(seen).toHaveLength(4)
  })
})
