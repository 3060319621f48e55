import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { ObjectStorage, StoredObject } from '../../src/adapters/files/objectStorage/storage.ts'
import { deleteOldFiles } from '../../src/operations/drops/deleteOldFiles.ts'
import { dropWalk, type WalkSpeed } from '../../worker/dropWalk.ts'
import { WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { chunksOf, listedNames } from '../support/files/objects.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
async function walkOn(drops: ObjectStorage, speed: WalkSpeed = { walkMs: 60_000, sellersAtOnce: 2 }): Promise<void> {
  const walk = dropWalk({ db: market.deps.db, drops }, speed)
  await walk.on(new AbortController().signal)
  await walk.end()
}

describe('a walk through the store of drops', () => {
  it('passes all sellers of a bucket whose lists come slowly', async () => {
    await market.owner().query(`insert into tenants (entity, side, name) select 'many-' || n, 'seller', 'n' from generate_series(1, 60) n`)
    await market.owner().query(`insert into sellers (seller, profile) select 'many-' || n, '{}' from generate_series(1, 60) n`)
    const passed = new Set<string>()
    const slow: ObjectStorage = {
      ...market.deps.drops,
      async *list(prefix) {
        await sleep(100)
        passed.add(prefix)
        yield* []
      },
    }
    await walkOn(slow, WATCH_SPEEDS.s3)
    expect(passed.size).toBe(62)
  })

  it('goes on with the next seller after one whose list fails, and passes that one again in its turn', async () => {
    let isBroken = true
    const passed: string[] = []
    const failing: ObjectStorage = {
      ...market.deps.drops,
      async *list(prefix) {
        passed.push(prefix)
        if (isBroken && prefix === 'cable/') throw new Error('away')
        yield* []
      },
    }
    const walk = dropWalk({ db: market.deps.db, drops: failing }, { walkMs: 60_000, sellersAtOnce: 1 })
    const { signal } = new AbortController()
    await expect(walk.on(signal)).rejects.toThrow('away')
    expect(passed).toEqual(['cable/'])
    isBroken = false
    await walk.on(signal)
    expect([passed[1], passed.at(-1)]).toEqual([expect.not.stringContaining('cable'), 'cable/'])
    await walk.end()
  })

  it('is made by one worker at a time, and by another once that one has ended', async () => {
    const passed: string[] = []
    const walkOf = (name: string) => {
      const listed: ObjectStorage = {
        ...market.deps.drops,
        async *list() {
          passed.push(name)
          yield* []
        },
      }
      return dropWalk({ db: market.deps.db, drops: listed }, { walkMs: 60_000, sellersAtOnce: 1 })
    }
    const [first, second] = [walkOf('first'), walkOf('second')]
    const { signal } = new AbortController()
    await first.on(signal)
    await second.on(signal)
    expect(new Set(passed)).toEqual(new Set(['first']))
    await first.end()
    await second.on(signal)
    expect(new Set(passed)).toEqual(new Set(['first', 'second']))
    await second.end()
  })

  it('leaves no list open where it ends, or another worker walks', async () => {
    let open = 0
    const endless: ObjectStorage = {
      ...market.deps.drops,
      async *list(prefix) {
        open += 1
        try {
          for (let n = 0; n < 100_000; n += 1) yield { name: `${prefix}d/${n}.csv`, size: 1, tag: 't', modifiedAt: Date.now() }
        } finally {
          open -= 1
        }
      },
    }
    const { signal } = new AbortController()
    const [first, second] = [1, 2].map(() => dropWalk({ db: market.deps.db, drops: endless }, { walkMs: 60_000, sellersAtOnce: 1 }))
    await first?.on(signal)
    expect(open).toBeGreaterThan(0)
    await market.deps.db.pool.query('delete from drop_watch')
    await second?.on(signal)
    await first?.on(signal) // finds that the other walks
    await second?.end()
    expect(open).toBe(0)
    await first?.end()
  })

  it('stops between two sellers', async () => {
    const stopping = new AbortController()
    const passed: string[] = []
    const stopped: ObjectStorage = {
      ...market.deps.drops,
      async *list(prefix) {
        passed.push(prefix)
        stopping.abort()
        yield* []
      },
    }
    const walk = dropWalk({ db: market.deps.db, drops: stopped }, { walkMs: 60_000, sellersAtOnce: 1 })
    await walk.on(stopping.signal)
    expect(passed).toHaveLength(1)
    await walk.end()
  })

  it('finds files that nobody ever named, so that they are deleted when they are old', async () => {
    const { drops, db } = market.deps
    const names = [
      'cable/old/a.csv',
      'cable/old/deep/b.csv',
      'cable/stray',
      'cable/mixed/old.csv',
      'cable/mixed/young.csv',
      'cable/young/a.csv',
    ]
    for (const name of names) await drops.put(name, chunksOf('x'))
    const aged = <T extends StoredObject | undefined>(object: T): T => {
      if (object === undefined || object.name.includes('young')) return object
      return { ...object, modifiedAt: object.modifiedAt - 31 * 86_400_000 }
    }
    const old: ObjectStorage = {
      ...drops,
      stat: async (name) => aged(await drops.stat(name)),
      async *list(prefix) {
        for await (const object of drops.list(prefix)) yield aged(object)
      },
    }
    const left = () => listedNames(drops, 'cable/')
    expect(await deleteOldFiles({ db, drops: old }, 100, () => undefined)).toBe(0)
    await walkOn(old)
    await deleteOldFiles({ db, drops: old }, 100, () => undefined)
    expect(await left()).toEqual(['cable/mixed/young.csv', 'cable/young/a.csv'])
    expect((await db.pool.query('select from drop_files')).rowCount).toBe(0)
    await walkOn(old)
    expect(await deleteOldFiles({ db, drops: old }, 100, () => undefined)).toBe(0)
  })
})
