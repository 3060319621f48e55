import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { openTenantDatabase } from '../../../src/store/connection/database.ts'
import { scopeKey, setScopeKey } from '../../../src/store/connection/scopeKey.ts'
import { countOn, orderOfOthers, useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const api = useApiDatabase(market)
let theirOrder: string
beforeAll(async () => {
  await market.created()
  theirOrder = await orderOfOthers(market)
})

describe('a scope', () => {
  it('ends with its transaction', async () => {
    const one = openTenantDatabase(market.databaseUrl, scopeKey(market.secretsKey), { max: 1 })
    expect(await countOn(one.as(['zenith']).pool, 'orders')).toBe(1)
    expect(await countOn(one.pool, 'orders')).toBe(0)
    await expect(one.as(['zenith']).pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    expect(await countOn(one.pool, 'orders')).toBe(0)
    await one
      .as(['zenith'])
      .sql.transaction()
      .execute(async (tx) => {
        expect(await tx.selectFrom('orders').select('order_id').execute()).toEqual([{ order_id: theirOrder }])
      })
    expect(await countOn(one.pool, 'orders')).toBe(0)
    await one.close()
  })

  it.each(['quo"te', 'back\\slash', '{', '}', ',', 'NULL', '*', 'naïve ☂'])('names any tenant letter by letter: %s', async (name) => {
    const { rows } = await api
      .as([name, 'acme'])
      .withCounterparty([name])
      .pool.query('select acting_tenants() as acting, dealt_tenants() as dealt')
    expect(rows).toEqual(
      [{ acting: [name, 'acme'], dealt: [name, 'acme'] }].map((row) => ({ ...row, dealt: expect.arrayContaining(row.dealt) })),
    )
  })

  it('comes with its statement: one Sync, and one answer', async () => {
    const sync = jest.spyOn((pg as unknown as { Connection: { prototype: { sync(): void } } }).Connection.prototype, 'sync')
    const { pool } = api.as(['acme'])
    expect((await pool.query('select buyer_entity from orders')).rows).toEqual([{ buyer_entity: 'acme' }])
    expect((await pool.query({ name: 'named', text: 'select $1::int as one', values: [1] })).rows).toEqual([{ one: 1 }])
    expect((await pool.query({ name: 'named', text: 'select $1::int as one', values: [2] })).rows).toEqual([{ one: 2 }])
    expect(sync).toHaveBeenCalledTimes(3)
    sync.mockRestore()
  })

  it('is taken under the key that the platform sets, and the one before', async () => {
    const [first, second, third] = [scopeKey(market.secretsKey), Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const under = (key: Buffer) => openTenantDatabase(market.databaseUrl, key, { max: 1 })
    const databases = [under(first), under(second), under(third)]
    const seen = async () => Promise.all(databases.map((db) => countOn(db.as(['zenith']).pool, 'orders').catch(({ code }) => code)))
    expect(await seen()).toEqual([1, '42501', '42501'])
    await setScopeKey(market.deps.db, second)
    expect(await seen()).toEqual([1, 1, '42501'])
    await setScopeKey(market.deps.db, third)
    expect(await seen()).toEqual(['42501', 1, 1])
    await Promise.all(databases.map((db) => db.close()))
  })
})
