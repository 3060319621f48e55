import { beforeAll, describe, expect, it } from '@jest/globals'
import { Product } from '../../../src/contract/product.ts'
import { commitOrDiscard } from '../../../src/store/catalog/hidden.ts'
import { saveMinted } from '../../../src/store/catalog/mintedProducts.ts'
import { saveCatalog, toSave } from '../../../src/store/catalog/saveCatalog.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { publishKilledAt } from '../../support/orders/publishKilledAt.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

/** More than one transaction takes. */
const MANY = 2_300
const ids = Array.from({ length: MANY }, (_, index) => `bulk-${String(index).padStart(4, '0')}`)
const put = sellerPut(app)
const putAll = (products: object[], taxonomy_version: string, token?: string) =>
  put('catalog', { ...aCatalog(...products), taxonomy_version }, token).expect(200)
const query = async (text: string, ...values: unknown[]) => (await app.owner().query(text, values)).rows
const read = async (path: string, token = app.tokens.buyers.acme) =>
  (await app.request.get(`/v1${path}`).auth(token, { type: 'bearer' }).expect(200)).body
const inForce = (seller: string) =>
  query('select product_id, external_ref, body, minted_for from products where seller = $1 order by product_id', seller)
const leftOver = (seller: string) =>
  query(
    `select (select count(*)::int from products where seller = $1 and replaced_by <> 0) as replaced, unpublished_commit_nos as numbers
     from sellers where seller = $1`,
    seller,
  )

describe('a catalog of more than 1,000 products', () => {
  it('leaves the very products that small ones leave, also where references move between them', async () => {
    const first = ids.map((id, index) => aProduct(id, { name: `first ${index}`, external_ref: `ref-${index}` }))
    const second = ids.map((id, index) =>
      aProduct(
        id,
        index % 2 === 0
          ? { name: 'second', external_ref: `ref-${(index + 2) % MANY}` }
          : { external_ref: `ref-${index}`, name: `first ${index}` },
      ),
    )
    await putAll(first, '1')
    const { body } = await putAll(second, '2')
    expect(body).toMatchObject({ taxonomy_version: '2', accepted: MANY, rejected: 0 })
    expect(await leftOver('cable')).toEqual([{ replaced: 0, numbers: [] }])
    const products = await inForce('cable')
    expect(products.map(({ external_ref, body }) => [body, external_ref])).toEqual(
      second.map((product) => [Product.parse(product), 'external_ref' in product ? product.external_ref : null]),
    )
    for (let from = 0; from < MANY; from += 500)
      await put('catalog', { ...aCatalog(...second.slice(from, from + 500)), taxonomy_version: '2' }).expect(200)
    expect(await inForce('cable')).toEqual(products)
  })

  it('writes no row for a product that is as it was', async () => {
    const places = () => query(`select product_id, ctid::text, added_by from products where seller = 'cable' order by product_id`)
    const before = await places()
    const same = (await inForce('cable')).map(({ body }) => body)
    await putAll([...same.slice(1), { ...same[0], name: 'other' }], '3')
    const changed = (await places()).filter((row, index) => JSON.stringify(row) !== JSON.stringify(before[index]))
    expect(changed.map(({ product_id }) => product_id)).toEqual([ids[0]])
  })

  it('writes at most 1,000 in one transaction', async () => {
    const longest = await longestTransaction(
      putAll(
        ids.map((id) => aProduct(id, { name: 'timed' })),
        '4',
      ),
    )
    expect(longest).toBeLessThanOrEqual(1_000)
  })

  it('brings what the seller offers up to date', async () => {
    const offered = () => query(`select grain, sold_until from seller_offers where seller = 'cable' order by grain, sold_until`)
    await putAll(
      ids.map((id) => aProduct(id, { grains: ['day'], effective: { start: '2027-01-01', end: '2031-01-01' } })),
      '5',
    )
    expect(await offered()).toEqual([{ grain: 'day', sold_until: '2031-01-01' }])
    const named = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2040-12-31' }, catalog_scope: [ids[0]] }
    await sellerPut(app)('agreements/agr-named', named).expect(201)
    const { sellers } = await read('/sellers')
    expect(sellers.find(({ seller }: { seller: string }) => seller === 'cable')).toMatchObject({ grains: ['day'] })
    await putAll(
      ids.map((id) => aProduct(id, { status: 'withdrawn' })),
      '6',
    )
    expect((await offered()).map(({ sold_until }) => sold_until)).toEqual(expect.arrayContaining(['']))
    expect((await read('/sellers/cable/catalog')).products).toEqual([])
  })

  /** Products that one transaction has written, at most. */
  async function longestTransaction(work: Promise<unknown>): Promise<number> {
    await work
    const [row] = await query(
      `select max(n)::int as n from (select count(*) as n from products where seller = 'cable' group by xmin) written`,
    )
    return row.n
  }
})

describe('a catalog whose publish was killed halfway', () => {
  beforeAll(async () => {
    await putAll([aProduct('kept', { name: 'before', external_ref: 'taken' })], '1', app.tokens.sellers.station)
  })

  const reads = async () => [
    await read('/sellers/station/catalog'),
    await read('/me/catalog', app.tokens.sellers.station),
    await read('/sellers/station/avails'),
    (await read('/sellers')).items?.find(({ seller }: { seller: string }) => seller === 'station'),
  ]
  const update = [
    Product.parse(aProduct('kept', { name: 'after' })),
    ...ids.map((id, index) => Product.parse(aProduct(id, index === 0 ? { external_ref: 'taken' } : {}))),
  ]

  it.each([2, 3, 5, 6, 8])('is hidden from everyone and cleared by the next publish: killed at transaction %i', async (last) => {
    const before = await reads()
    await killedAt(last)
    expect(await reads()).toEqual(before)
    await putAll([aProduct('kept', { name: 'before', external_ref: 'taken' })], '1', app.tokens.sellers.station)
    expect(await reads()).toEqual(before)
    expect(await leftOver('station')).toEqual([{ replaced: 0, numbers: [] }])
    expect(await inForce('station')).toHaveLength(1)
  })

  it('keeps its references from products that are minted in the meantime', async () => {
    await killedAt(6)
    const minted = Product.parse(aProduct('minted', { external_ref: 'taken' }))
    const mint = app.deps.db.sql.transaction().execute((tx) => saveMinted(tx, 'station', 'acme', [minted]))
    await expect(mint).rejects.toMatchObject({ code: 'DUPLICATE_EXTERNAL_REF' })
  })

  it('leaves what it replaced to the next publish when it is killed after its last transaction', async () => {
    await killedAt(9)
    expect(await leftOver('station')).toEqual([{ replaced: 1, numbers: [] }])
    const [catalog] = await reads()
    expect(catalog.products).toHaveLength(1 + MANY)
    await putAll([aProduct('kept', { name: 'again' })], '3', app.tokens.sellers.station)
    expect(await leftOver('station')).toEqual([{ replaced: 0, numbers: [] }])
    expect((await reads())[0].products).toHaveLength(1 + MANY)
  })

  it('leaves products in force that the application cannot delete', async () => {
    const refused = expect.objectContaining({ code: '42501', message: 'a product in force is never deleted' })
    await expect(app.deps.db.pool.query(`delete from products where seller = 'station'`)).rejects.toEqual(refused)
  })

  const killedAt = (last: number) =>
    publishKilledAt(app.deps.db, 'station', last, async (publishing) => {
      const hidden = await saveCatalog(publishing, { taxonomyVersion: '2', products: toSave(update) })
      await commitOrDiscard(publishing, hidden, hidden.reveal)
    })
})
