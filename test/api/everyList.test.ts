import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import type { Named } from '../support/access/access.ts'
import { ownerPool } from '../support/engines/database.ts'
import { fillLists, ROWS } from '../support/lists/fillLists.ts'
import { LISTS, type Walk } from '../support/lists/lists.ts'
import { type Market, startMarket } from '../support/market.ts'

// Not `useMarket`: most rows are copies, which no command has made, so that the invariants do not hold.
let market: Market
let named: Named
let owner: ReturnType<typeof ownerPool>
beforeAll(async () => {
  market = await startMarket()
  owner = ownerPool(market.databaseUrl)
  named = await fillLists(market, owner)
})
afterAll(async () => {
  await owner?.end()
  await market?.stop()
})

/** Stands for what the lists are of, in the names of the tests. */
const SOME = {
  order: 'an-order',
  endpoint: { buyer: 'an-endpoint' },
  variance: { buyer: ['an-order', ''] },
  makegood: { buyer: ['an-order', ''] },
} as unknown as Named

describe('every list of the product', () => {
  it('is in the table, and no other operation', () => {
    const lists = ENDPOINTS.filter(({ query }) => 'limit' in query.shape).map(({ name }) => name)
    expect(Object.keys(LISTS).sort()).toEqual(lists.sort())
  })

  const walks = Object.entries(LISTS).flatMap(([name, own]) => own.map((walk) => [name, walk.as, walk.path(SOME), walk] as const))
  it.each(walks)('%s of %s is whole and in order page by page: %s', async (_name, _as, _path, walk) => {
    const { rows } = await owner.query<{ id: string }>(typeof walk.sql === 'string' ? walk.sql : walk.sql(named))
    const expected = rows.map(({ id }) => id)
    expect(expected.length).toBeGreaterThanOrEqual(ROWS)
    expect(new Set(expected).size).toBe(expected.length)
    expect(await walked(walk)).toEqual(expected)
  })
})

const byCursor = ({ next_cursor }: { next_cursor: string | null }) =>
  next_cursor === null ? undefined : `cursor=${encodeURIComponent(next_cursor)}`

async function walked({ as, path, ids, next = byCursor }: Walk): Promise<unknown[]> {
  const found: unknown[] = []
  const base = path(named)
  for (let more: string | undefined = ''; more !== undefined; ) {
    const reply: Response = await fetch(`${market.baseUrl}${base}${base.includes('?') ? '&' : '?'}limit=5${more && `&${more}`}`, {
      headers: { Authorization: `Bearer ${market[as].token}` },
    })
    const body = await reply.json()
    if (reply.status !== 200) throw new Error(JSON.stringify(body))
    found.push(...ids(body))
    more = next(body)
  }
  return found
}
