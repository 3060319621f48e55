import { describe, expect, it } from '@jest/globals'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { lockedTransaction, lockedTx, lockOn } from '../../../src/store/connection/lockedTransaction.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

describe('a lock that many want', () => {
  it('holds one connection of those who wait for it, so that everybody else has the others', async () => {
    const small = openDatabase(db.url, { max: 3 })
    let end: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const done: number[] = []
    const lock = lockOn('drops:cable')
    const waiting = [0, 1, 2, 3, 4, 5].map((n) => lockedTransaction(small.pool, lock, () => held.then(() => done.push(n))))
    const own = lockedTx(small, lock, async () => done.push(6))
    const beside = [1, 2, 3, 4].map(() => small.pool.query('select 1 as one'))
    expect((await Promise.all(beside)).map(({ rows }) => rows)).toEqual(Array(4).fill([{ one: 1 }]))
    expect(await lockedTransaction(small.pool, lockOn('drops:station'), async () => 'another lock')).toBe('another lock')
    expect([done, small.pool.totalCount - small.pool.idleCount]).toEqual([[], 1])
    end()
    await Promise.all([...waiting, own])
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6])
    await small.close()
  })

  it('is free again after work that failed', async () => {
    const lock = lockOn('drops:failing')
    await expect(lockedTransaction(db.pool, lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(lockedTx(db, lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await lockedTransaction(db.pool, lock, async () => 'done')).toBe('done')
  })
})
