import { describe, expect, it } from '@jest/globals'
import { Product, type PutCatalog } from '../../../src/contract/product.ts'
import { publishCatalog } from '../../../src/operations/publishing/publishCatalog.ts'
import { readProductPages } from '../../../src/store/catalog/catalog.ts'
import { type FileToDrop, ingest, landDrop } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { largestStatement } from '../../support/largestStatement.ts'
import { largeProducts } from '../../support/orders/largeProducts.ts'
import { aCard, aCatalog, anAvail, aRate } from '../../support/orders/published.ts'

const { app, deps, name, result } = useDrops()

const MIB = 1024 * 1024
/** Programs of a quarter of a megabyte: 10 MB. */
const PROGRAMS = largeProducts(40)
const file = (filename: string, type: FileToDrop['type'], body: object): FileToDrop => ({ filename, type, text: JSON.stringify(body) })
const bodies = async () =>
  (await app.deps.db.pool.query(`select body from products where seller = 'station' order by product_id`)).rows.map(({ body }) => body)
/** Publishes as a thread of the API does. */
const publish = (put: object) =>
  publishCatalog(app.deps.db.as(['station']), 'station', put as PutCatalog, 'api', 1_000, { dryRun: false, isSeen: undefined })

describe('a catalog of large products', () => {
  it('is written by a drop in statements of about 1 MiB, and read again by its cards and avails without what is large', async () => {
    const ids = PROGRAMS.map(({ product_id }) => String(product_id))
    await landDrop(deps, name, [
      file('catalog.json', 'catalog', aCatalog(...PROGRAMS)),
      file(
        'card.json',
        'rate_cards',
        aCard('c', [...ids.map((id) => aRate(id)), aRate(ids[0] as string, { spot_length: 15, week: '2026-W50' })]),
      ),
      file('avails.json', 'avails', { avails: ids.map((id) => anAvail(id)) }),
    ])
    expect(await largestStatement(() => ingest(deps, name))).toBeLessThan(1.5 * MIB)
    expect(await result()).toMatchObject({ status: 'success', counts: { catalog: { rows_written: 40 }, avails: { rows_written: 40 } } })
    expect(await bodies()).toEqual(PROGRAMS.map((product) => Product.parse(product)))
  }, 60_000)

  it('is written by a PUT in statements of about 1 MiB, in one publish', async () => {
    const changed = PROGRAMS.map((product) => ({ ...product, name: 'changed' }))
    expect(await largestStatement(() => publish(aCatalog(...changed)))).toBeLessThan(1.5 * MIB)
    expect(await bodies()).toEqual(changed.map((product) => Product.parse(product)))
    const { rows } = await app
      .owner()
      .query(
        `select (select count(*)::int from products where seller = 'station') as products, unpublished_commit_nos as numbers from sellers where seller = 'station'`,
      )
    expect(rows).toEqual([{ products: 40, numbers: [] }])
  }, 60_000)

  it('is read in pages of few products, and whole by buyer and seller', async () => {
    const pages: string[][] = []
    for await (const page of readProductPages(app.deps.db.as(['station']), 'station', 200)) {
      expect(JSON.stringify(page).length).toBeLessThan(8 * MIB)
      pages.push(page.map(({ product_id }) => product_id))
    }
    const ids = PROGRAMS.map(({ product_id }) => product_id)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat()).toEqual(ids)
    for (const [path, token] of [
      ['/sellers/station/catalog', app.tokens.buyers.acme],
      ['/me/catalog', app.tokens.sellers.station],
    ] as const) {
      const { body } = await app.request.get(`/v1${path}`).auth(token, { type: 'bearer' }).expect(200)
      expect(body.products.map(({ product_id }: { product_id: string }) => product_id)).toEqual(ids)
    }
  }, 60_000)
})
