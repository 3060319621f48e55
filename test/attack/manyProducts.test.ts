import { describe, expect, it } from '@jest/globals'
import { aCatalog, aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { quiet } from './support/victim.ts'

const PRODUCTS = scale(30_000, 300_000)

const market = useMarket()

const sold = async (): Promise<string[]> =>
  (await market.zenith.get('/sellers/cable/catalog')).body.products.map(({ product_id }: { product_id: string }) => product_id)
const listed = async () => {
  const { status, body } = await market.zenith.get('/sellers')
  expect(status).toBe(200)
  return body.sellers
}

describe(`one seller's ${PRODUCTS} products`, () => {
  it("do not slow any buyer's list of sellers", async () => {
    const before = await quiet(listed)
    const sellers = await listed()
    const products = await sold()
    for (const withdrawn of [false, true]) {
      await fill(withdrawn)
      await market.cable.put('/me/catalog', aCatalog(aProduct('one-more')))
      const { p50, p99, failures } = await quiet(listed)
      report('GET /sellers beside a seller of many products', { products: PRODUCTS, quiet_p50: before.p50, p50, p99 })
      expect(failures).toEqual([])
      expect(await listed()).toEqual(sellers)
      expectWithin(p50, Math.max(3 * before.p50, 50))
      expectWithin(p99, Math.max(5 * before.p99, 250))
    }
    const began = performance.now()
    expect(await sold()).toEqual([...products, 'one-more'].sort())
    expectWithin(performance.now() - began, 1_000)
  })
})

/** Published before there was a bound on products. */
async function fill(withdrawn: boolean): Promise<void> {
  const body = JSON.stringify(aProduct('x', withdrawn ? { status: 'withdrawn' } : {}))
  await market.owner().query(
    `insert into products (seller, product_id, body)
     select 'cable', 'p' || n, (jsonb_build_object('visibility', 'open', 'grains', '["week"]'::jsonb) || $1::jsonb)::json from generate_series(1, $2::int) n
     on conflict (seller, product_id, replaced_by) do update set body = excluded.body`,
    [body, PRODUCTS],
  )
}
