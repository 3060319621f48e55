import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { up } from '../../src/store/migrations/0049_revision_families.ts'
import { type Market, startMarket } from '../support/market.ts'

let market: Market
let owner: pg.Pool
beforeAll(async () => {
  market = await startMarket()
  owner = new pg.Pool({ connectionString: market.databaseUrl, max: 1 })
})
afterAll(async () => {
  await owner.end()
  await market.stop()
})

const roots = async () => (await owner.query('select order_id, root from orders order by order_id')).rows

it('the migration finds the families that creates would have kept', async () => {
  const first = await market.created()
  const second = await market.created({ revision: { supersedes: first } })
  await market.created({ revision: { supersedes: first } })
  await market.created({ revision: { supersedes: second } })
  await market.created()
  const kept = await roots()
  expect(kept.map(({ root }) => root)).toEqual([null, first, first, first, null])
  await owner.query('alter table orders drop column root')
  await up(new Kysely({ dialect: new PostgresDialect({ pool: owner }) }))
  expect(await roots()).toEqual(kept)
})
