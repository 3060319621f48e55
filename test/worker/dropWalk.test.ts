import { describe, expect, it } from '@jest/globals'
import type { ObjectStorage, StoredObject } from '../../src/adapters/objectStorage.ts'
import { forgetFiles } from '../../src/drops/forgetFiles.ts'
import { dropWalk } from '../../worker/dropWalk.ts'
import { chunksOf, listedNames } from '../support/files/objects.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const walkOn = (drops: ObjectStorage) =>
  dropWalk({ db: market.deps.db, drops }, { walkMs: 5_000, sellersAtOnce: 2 }).on(new AbortController().signal)

describe('a walk through the store of drops', () => {
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
      const isYoung = object?.name.includes('young') !== false
      return isYoung ? object : ({ ...object, modifiedAt: (object?.modifiedAt ?? 0) - 31 * 86_400_000 } as T)
    }
    const old: ObjectStorage = {
      ...drops,
      stat: async (name) => aged(await drops.stat(name)),
      async *list(prefix) {
        for await (const object of drops.list(prefix)) yield aged(object)
      },
    }
    const left = () => listedNames(drops, 'cable/')
    expect(await forgetFiles({ db, drops: old }, 100, () => undefined)).toBe(0)
    await walkOn(old)
    await forgetFiles({ db, drops: old }, 100, () => undefined)
    expect(await left()).toEqual(['cable/mixed/young.csv', 'cable/young/a.csv'])
    expect((await db.pool.query('select from drop_files')).rowCount).toBe(0)
    await walkOn(old)
    expect(await forgetFiles({ db, drops: old }, 100, () => undefined)).toBe(0)
  })
})
