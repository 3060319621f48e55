import { beforeAll } from '@jest/globals'
import { makeApiLogin } from '../../src/local/embedded/apiLogin.ts'
import { type Database, openTenantDatabase } from '../../src/store/connection/database.ts'
import { admitScopeKey, scopeKey } from '../../src/store/connection/scopeKey.ts'
import type { Market } from './market.ts'
import type { Used } from './useMarket.ts'

/** Provides a market's database as the API uses it in production, with its own login and role. Cannot be read before the first test. */
export function useApiDatabase(market: Market & Used): Database {
  const api = {} as Database
  beforeAll(async () => {
    const key = scopeKey(market.secretsKey)
    Object.assign(api, openTenantDatabase(await makeApiLogin(market.databaseUrl), key, { max: 4 }))
    await admitScopeKey(api, key)
  })
  market.beforeStop(() => api.close())
  return api
}

/** Creates an order of zenith with station, which acme and cable know nothing about. */
export async function orderOfOthers(market: Market): Promise<string> {
  const news = market.line({ product_id: 'news' }, { locked_rate_id: market.price('news', '2030-W23') })
  const order = market.order({ seller: 'station', rate_version: 'june-local', line_items: [news] })
  const { status, body, text } = await market.zenith.post('/orders', order)
  if (status !== 201) throw new Error(text)
  return body.order_id
}

export async function countOn(on: Database['pool'], table: string, where = 'true'): Promise<number | undefined> {
  return (await on.query<{ count: number }>(`select count(*)::int as count from ${table} where ${where}`)).rows[0]?.count
}
