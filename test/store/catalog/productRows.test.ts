import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Avail } from '../../../src/contract/avail.ts'
import {
  type AvailPosition,
  pageAvails,
  pageSelectedAvails,
  readAvails,
  readAvailsOfGrain,
  saveAvails,
} from '../../../src/store/catalog/avails.ts'
import { closeRequests, openRequests, pageOpenRequests, saveAvailsRequest } from '../../../src/store/catalog/availsRequests.ts'
import {
  countProducts,
  findProducts,
  findProductsFor,
  knownProducts,
  readCatalogHead,
  readProductPages,
  readProductPagesFor,
} from '../../../src/store/catalog/catalog.ts'
import { readDisclosed } from '../../../src/store/catalog/disclosedAvails.ts'
import { findAvails } from '../../../src/store/catalog/inForce.ts'
import { findTerms, readNamedFor, readSoldPages, readSomeFor } from '../../../src/store/catalog/productTerms.ts'
import { withPublishLock } from '../../../src/store/catalog/publishLock.ts'
import { addOffers, keepOffers } from '../../../src/store/catalog/sellerOffers.ts'
import { listSellers } from '../../../src/store/catalog/sellersList.ts'
import type { Tx } from '../../../src/store/connection/database.ts'
import {
  aCommitRow,
  anAgreementRow,
  anAvailRow,
  aPriceRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  PAST,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { readAfter } from '../../support/readAfter.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const OTHER = { seller: 'seller_two' }
const TODAY = new Date().toISOString().slice(0, 10)
const until = (end: string) => ({ body: { effective: { start: '2020-01-01', end } } })
const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.sql.transaction().execute(work)
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const rowOf = (product: object) => (product as { row: string }).row
async function all<T>(pages: AsyncGenerator<T[], void>): Promise<T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...page)
  return found
}

/** 7 is the number of an update that is being written, 5 that of one that is published. */
beforeAll(() =>
  insertRows(db.owner(), [
    ...['seller_one', 'seller_two', 'seller_three'].map((seller) => aTenantRow(seller, 'seller')),
    aSellerRowOf('seller_one', { unpublished_commit_nos: [7], taxonomy_version: 'tax-1' }),
    ...['seller_two', 'seller_three'].map((seller) => aSellerRowOf(seller)),
    aProductRow('b', { ...until(TODAY), external_ref: 'ref b' }),
    aProductRow('a', { replaced_by: 7 }),
    aProductRow('a', { added_by: 7 }),
    aProductRow('c', { added_by: 5, external_ref: 'ref c' }),
    aProductRow('d', { replaced_by: 5 }),
    aProductRow('e', { minted_for: 'buyer_one' }),
    aProductRow('f', { minted_for: 'buyer_two' }),
    aProductRow('g', until('2020-12-31')),
    aProductRow('h', { body: { status: 'withdrawn' } }),
    aProductRow('a', OTHER),
    aProductRow('z', OTHER),
    ['seller_offers', { ...OTHER, reader: '', visibility: 'open', grain: 'week', sold_until: '9999-12-31' }],
  ]),
)
const IN_FORCE = ['a', 'b', 'c5', 'e', 'f', 'g', 'h']
const SEEN = ['a', 'b', 'c5', 'e']

describe('the products of a seller', () => {
  it('are those in force, by id, whatever the size of a page', async () => {
    for (const size of [1, 3, 7, 100]) {
      expect((await all(readProductPages(db, 'seller_one', size))).map(rowOf)).toEqual(IN_FORCE)
      expect((await all(readProductPagesFor(db, 'seller_one', 'buyer_one', size))).map(rowOf)).toEqual(SEEN)
    }
    expect((await all(readSoldPages(db, 'seller_one'))).map(({ product_id }) => product_id)).toEqual(['a', 'b', 'c', 'e', 'f', 'g', 'h'])
    expect(await countProducts(db.sql, 'seller_one')).toEqual({ available: 6, kept: 7 })
  })

  it('are found by id, and by reference', async () => {
    const named = ['a', 'c', 'd', 'f', 'z']
    expect([...(await findProducts(db.sql, 'seller_one', named)).values()].map(rowOf).sort()).toEqual(['a', 'c5', 'f'])
    expect((await findProductsFor(db, 'seller_one', 'buyer_one', named)).map(rowOf).sort()).toEqual(['a', 'c5'])
    expect([...(await findTerms(db.sql, 'seller_one', named)).keys()].sort()).toEqual(['a', 'c', 'f'])
    const known = await knownProducts(db.sql, 'seller_one', [
      { product_id: 'a', mirror_product_id: 'h' },
      { product_id: 'z', external_ref: 'ref c' },
      { product_id: 'd' },
    ] as never)
    expect(known.map(({ product_id, withdrawn }) => `${product_id} ${withdrawn}`).sort()).toEqual(['a false', 'c false', 'h true'])
  })

  it('that a buyer may see and that are sold are found by id and in order', async () => {
    const terms = async (more: object, max = 9) =>
      (await readSomeFor(db, 'seller_one', 'buyer_one', more, max)).map(({ product_id }) => product_id)
    expect([await terms({}), await terms({ after: 'a' }, 1), await terms({ from: 'b' }, 2)]).toEqual([
      ['a', 'b', 'c', 'e'],
      ['b'],
      ['b', 'c'],
    ])
    const named = await readNamedFor(db, 'seller_one', 'buyer_one', ['a', 'd', 'e', 'f', 'g', 'z'])
    expect(named.map(({ product_id }) => product_id).sort()).toEqual(['a', 'e'])
  })

  it('have the newest open commit, or that of the agreement', async () => {
    await insertRows(db.owner(), [
      ...[aCommitRow('one', 1), aCommitRow('three', 3), aCommitRow('two', 2), aCommitRow('far', 9, OTHER)],
      ...[aCommitRow('scoped', 4, { agreement_id: 'agr_1' }), aCommitRow('scoped else', 5, { agreement_id: 'agr_2' })],
      aCommitRow('quote', 6, { visible_to: 'buyer_one', order_id: 'ord_1' }),
    ])
    const version = async (agreement?: string) => (await readCatalogHead(db, 'seller_one', agreement))?.rate_version
    expect([await version(), await version('agr_1')]).toEqual(['three', 'scoped'])
    expect(await readCatalogHead(db, 'seller_one')).toMatchObject({
      seller: 'seller_one',
      name: 'Name of seller_one',
      taxonomy_version: 'tax-1',
    })
    expect(await readCatalogHead(db, 'nobody')).toBeUndefined()
  })
})

describe('what sellers offer', () => {
  it('is kept by reader, visibility and grain: what is sold longest', async () => {
    const change = `insert into products (seller, product_id, body) values
      ('seller_three', 'a', '{"grains":["week","day"],"visibility":"open","effective":{"end":"2030-01-01"}}'),
      ('seller_three', 'b', '{"grains":["week"],"visibility":"open","effective":{"end":"2031-01-01"}}'),
      ('seller_three', 'c', '{"grains":["week"],"visibility":"by_agreement"}');
      insert into products (seller, product_id, body, replaced_by) values ('seller_three', 'd', '{"grains":["month"],"visibility":"open"}', 5);
      insert into products (seller, product_id, body, minted_for) values ('seller_three', 'e', '{"grains":["week"],"visibility":"open"}', 'buyer_one');
      insert into seller_offers (seller, reader, visibility, grain, sold_until) values
        ('seller_three', '', 'open', 'month', '9999-12-31'), ('seller_three', 'buyer_two', 'open', 'month', '9999-12-31'), ('seller_two', '', 'by_agreement', 'month', '9999-12-31')`
    const offers = await readAfter(db.pool, change, async ({ sql, pool }) => {
      await keepOffers(sql, 'seller_three', [''])
      await addOffers(sql, 'seller_three', ['e', 'a'])
      return (await pool.query('select seller, reader, visibility, grain, sold_until from seller_offers order by 1, 2, 3, 4')).rows
    })
    expect(offers.map((row) => Object.values(row).join())).toEqual([
      'seller_three,,by_agreement,week,9999-12-31',
      'seller_three,,open,day,2030-01-01',
      'seller_three,,open,week,2031-01-01',
      'seller_three,buyer_one,open,week,9999-12-31',
      'seller_three,buyer_two,open,month,9999-12-31',
      'seller_two,,by_agreement,month,9999-12-31',
      'seller_two,,open,week,9999-12-31',
    ])
  })

  const offer = (grain: string, more: object = {}) =>
    ['seller_offers', { seller: 'seller_three', reader: '', visibility: 'open', grain, sold_until: '9999-12-31', ...more }] as const
  const listed = async (buyer = 'buyer_one', after?: string, limit = 9) =>
    Object.fromEntries(
      (await listSellers(db, buyer, after, limit)).map(({ seller, has_products, grains }) => [
        seller,
        `${has_products} ${[...grains].sort().join()}`,
      ]),
    )

  it('is listed by seller, by page, as a buyer may buy it', async () => {
    await insertRows(db.owner(), [
      offer('day', { reader: 'buyer_two' }),
      offer('week', { sold_until: '2020-01-01' }),
      offer('month', { visibility: 'by_agreement' }),
      offer('day', { seller: 'seller_one', reader: 'buyer_two' }),
      offer('day', { ...OTHER, sold_until: TODAY }),
    ])
    expect(await listed()).toEqual({ seller_one: 'false ', seller_three: 'true ', seller_two: 'true day,week' })
    expect(Object.keys(await listed('buyer_one', 'seller_one', 1))).toEqual(['seller_three'])
    expect((await listed('buyer_two')).seller_three).toBe('true day')
    await insertRows(db.owner(), [['fresh_tenants', { entity: 'seller_two', side: 'seller', made_by: 'x', expires_at: SOON }]])
    expect(Object.keys(await listed())).toHaveLength(3)
    await db.owner().query('update fresh_tenants set expires_at = now()')
    expect(Object.keys(await listed())).toEqual(['seller_one', 'seller_three'])
    await db.owner().query('delete from fresh_tenants')
  })

  it.each<[string, string, { seller?: string; status?: string; effective?: string; buyer_entity?: string }, string]>([
    ['all', '"all"', {}, 'true month'],
    ['named ones', '["a","e","f","g","d","none"]', { seller: 'seller_one' }, 'false week'],
    ['named ones, on their last day', '["b"]', { seller: 'seller_one' }, 'false week'],
    ['all, when it has ended', '"all"', { status: 'ended' }, 'true '],
    ['all, when it is over', '"all"', { effective: '[2020-01-01,2020-12-31]' }, 'true '],
    ['all, of another buyer', '"all"', { buyer_entity: 'buyer_two' }, 'true '],
    ['named ones, when it has ended', '["a"]', { seller: 'seller_one', status: 'ended' }, 'false '],
    ['named ones, of which it sees none', '["f","g","d","h"]', { seller: 'seller_one' }, 'false '],
  ])('by agreement opens %s', async (_, scope, more, expected) => {
    const { seller = 'seller_three' } = more
    await insertRows(db.owner(), [anAgreementRow('agr_1', { seller: 'seller_three', body: `{"catalog_scope":${scope}}`, ...more })])
    expect((await listed())[seller]).toBe(expected)
    await db.owner().query(`delete from agreements`)
  })
})

describe('the avails of a seller', () => {
  const avail = (product_id: string, grain: string, start: string, more: object = {}) =>
    anAvailRow(product_id, start, { grain, body: JSON.stringify({ product_id, period: { grain, start } }), ...more })
  const places = (avails: readonly (Avail | undefined)[]) => avails.map((one) => one && `${one.product_id} ${one.period.start}`)
  beforeAll(() =>
    insertRows(db.owner(), [
      avail('a', 'week', '2030-W24'),
      avail('a', 'week', '2030-W23'),
      avail('a', 'day', '2030-06-05'),
      avail('a', 'month', '2030-06'),
      avail('b', 'week', '2030-W23'),
      avail('a', 'week', '2030-W25', OTHER),
    ]),
  )
  const W23 = [{ from: '2030-W23', to: '2030-W23', first_day: '2030-06-03', last_day: '2030-06-09' }]
  const ALL = ['a 2030-06-05', 'a 2030-06', 'a 2030-W23', 'a 2030-W24', 'b 2030-W23']

  it('are read by product and week, in their order, so many', async () => {
    const read = async (ids: string[], more: object = {}) => places(await readAvails(db, 'seller_one', ids, { max: 9, ...more }))
    expect([await read(['a', 'b']), await read(['b']), await read(['a'], { max: 1 })]).toEqual([ALL, ['b 2030-W23'], ['a 2030-06-05']])
    expect(await read(['a', 'b'], { weeks: W23 })).toEqual(['a 2030-06-05', 'a 2030-06', 'a 2030-W23', 'b 2030-W23'])
    const grain = async (after: string, more: object = {}) =>
      places(await readAvailsOfGrain(db, 'seller_one', { productId: 'a', grain: 'week', after }, { max: 9, ...more }))
    expect([await grain(''), await grain('2030-W23'), await grain('', { max: 1 }), await grain('', { weeks: W23 })]).toEqual([
      ...[['a 2030-W23', 'a 2030-W24'], ['a 2030-W24'], ['a 2030-W23'], ['a 2030-W23']],
    ])
  })

  it('are paged, of a product, a grain or weeks, or of all', async () => {
    const after: AvailPosition = ['a', 'month', '2030-06']
    const page = async (more: object = {}) => places(await pageAvails(db, 'seller_one', { after: undefined, limit: 9, ...more }))
    expect([await page(), await page({ after, limit: 1 }), await page({ productId: 'b' })]).toEqual([ALL, ['a 2030-W23'], ['b 2030-W23']])
    const selected = async (more: object = {}) => {
      const { avails, last } = await pageSelectedAvails(db, 'seller_one', { after: undefined, limit: 9, ...more })
      return [places(avails), last?.join()]
    }
    expect(await selected()).toEqual([ALL, undefined])
    expect(await selected({ grain: 'week', limit: 2 })).toEqual([['a 2030-W23', 'a 2030-W24'], 'a,week,2030-W24'])
    expect(await selected({ grain: 'week', after: ['a', 'week', '2030-W24'] })).toEqual([['b 2030-W23'], undefined])
    expect(await selected({ productId: 'a', weeks: W23 })).toEqual([['a 2030-06-05', 'a 2030-06', 'a 2030-W23'], undefined])
    expect(await selected({ productId: 'none' })).toEqual([[], undefined])
  })

  it('are found in the places of others, and merged into them', async () => {
    const sent = (product_id: string, start: string, more: object = {}) =>
      ({ product_id, period: { grain: 'week', start }, state: 'available', ...more }) as unknown as Avail
    const asked = [sent('b', '2030-W23'), sent('a', '2030-W25'), sent('a', '2030-W24')]
    expect(places(await findAvails(db.sql, 'seller_one', asked))).toEqual(['b 2030-W23', undefined, 'a 2030-W24'])
    const written = () => rows(`select seller, product_id, start, state from avails where state <> 'available' order by 2, 3`)
    const before = await rows(`select xmin::text from avails where seller = 'seller_one' and start = '2030-W24'`)
    await inTx((tx) =>
      saveAvails(tx, 'seller_one', [sent('a', '2030-W25', { state: 'unavailable' }), sent('b', '2030-W23', { state: 'unavailable' })]),
    )
    expect((await written()).map((row) => Object.values(row).join())).toEqual([
      'seller_one,a,2030-W25,unavailable',
      'seller_one,b,2030-W23,unavailable',
    ])
    expect(await rows(`select xmin::text from avails where seller = 'seller_one' and start = '2030-W24'`)).toEqual(before)
    expect(await rows(`select count(*)::int as n from avails`)).toEqual([{ n: 7 }])
  })

  it('are written again, unchanged, while a drop of the seller is open', async () => {
    const same = { product_id: 'a', period: { grain: 'week', start: '2030-W26' }, state: 'available' } as unknown as Avail
    const save = async () => {
      await inTx((tx) => saveAvails(tx, 'seller_one', [same]))
      return (await rows(`select xmin::text from avails where start = '2030-W26'`))[0].xmin
    }
    const drop = (seller: string, status = 'processing') =>
      [
        'drops',
        {
          seller,
          drop_id: 'd',
          run_no: status === 'processing' ? 1 : 2,
          schema_version: '1',
          files: '[]',
          status,
          ...(status !== 'processing' && { stage: 'ended', result: '{}', ended_at: PAST }),
        },
      ] as const
    const first = await save()
    await insertRows(db.owner(), [drop('seller_two'), drop('seller_one', 'success')])
    expect(await save()).toBe(first)
    await insertRows(db.owner(), [drop('seller_one')])
    expect(await save()).not.toBe(first)
    await db.owner().query('truncate drops cascade')
  })
})

describe('requests for avails', () => {
  beforeEach(async () => {
    await db.owner().query('truncate avails_requests, avails_disclosed')
  })
  const request = (request_id: string, more: object = {}) =>
    [
      'avails_requests',
      { request_id, seller: 'seller_one', buyer_entity: 'buyer_one', product_id: 'a', grain: 'week', start: request_id, ...more },
    ] as const

  it('are the seller’s open ones, oldest first, by page or product, and closed one by one', async () => {
    await insertRows(db.owner(), [
      request('req_2'),
      request('req_1'),
      request('req_3', { product_id: 'b' }),
      request('req_4', OTHER),
      request('req_5', { answered_at: PAST }),
    ])
    const page = async (after?: string, limit = 9) =>
      (await pageOpenRequests(db, 'seller_one', after, limit)).map(({ request_id }) => request_id)
    expect([await page(), await page('req_1', 1)]).toEqual([['req_1', 'req_2', 'req_3'], ['req_2']])
    const open = await inTx((tx) => openRequests(tx, 'seller_one', ['a', 'none']))
    expect(open.map(({ request_id }) => request_id)).toEqual(['req_1', 'req_2'])
    expect(await inTx((tx) => openRequests(tx, 'seller_one', ['none']))).toEqual([])
    await inTx((tx) => closeRequests(tx, [{ request: open[0] } as never], new Date().toISOString()))
    expect(await page()).toEqual(['req_2', 'req_3'])
  })

  it('are held by the publish that answers them', async () => {
    await insertRows(db.owner(), [request('req_1')])
    await inTx(async (tx) => {
      await openRequests(tx, 'seller_one', ['a'])
      const locked = await db.owner().query('select from avails_requests for update skip locked')
      expect(locked.rowCount).toBe(0)
    })
  })

  it('are one per question, a thousand of a buyer with a seller at most', async () => {
    await insertRows(db.owner(), [
      ...Array.from({ length: 998 }, (_, n) => request(`req_${n}`)),
      request('req_x', { buyer_entity: 'buyer_two' }),
      request('req_y', OTHER),
      request('req_z', { answered_at: PAST }),
    ])
    const ask = (start: string, buyer = 'buyer_one') =>
      saveAvailsRequest(db, 'seller_one', buyer, { product_id: 'a', period: { grain: 'week', start } } as never)
    expect(await ask('2030-W23')).toBe(await ask('2030-W23'))
    await ask('2030-W24')
    await expect(ask('2030-W25')).rejects.toThrow('1000 open requests')
    await ask('2030-W25', 'buyer_two')
  })

  it('disclose to the buyer what is of the seller’s products', async () => {
    const disclosed = (start: string, more: object = {}) =>
      ['avails_disclosed', { seller: 'seller_one', buyer_entity: 'buyer_one', product_id: 'a', grain: 'week', start, ...more }] as const
    await insertRows(db.owner(), [
      disclosed('1'),
      disclosed('2', OTHER),
      disclosed('3', { buyer_entity: 'buyer_two' }),
      disclosed('4', { product_id: 'b' }),
    ])
    expect(await readDisclosed(db, 'seller_one', 'buyer_one', ['a'])).toEqual([{ product_id: 'a', grain: 'week', start: '1' }])
  })
})

describe('what a killed publish has left', () => {
  it('is cleared by the next publish of the seller: its prices, values, windows and products, and no others', async () => {
    await insertRows(db.owner(), [
      aSellerRowOf('seller_four', { unpublished_commit_nos: [17] }),
      aTenantRow('seller_four', 'seller'),
      ...[
        aPriceRow('lr_1', { seller: 'seller_four', commit_no: 17 }),
        aPriceRow('lr_2', { seller: 'seller_four', commit_no: 1 }),
        aPriceRow('lr_3', { commit_no: 17 }),
      ],
      ...['a', 'b', 'c'].map((product_id, at) =>
        aProductRow(product_id, { seller: 'seller_four', ...[{ added_by: 17 }, { replaced_by: 17 }, { replaced_by: 5 }][at] }),
      ),
      aProductRow('d', { seller: 'seller_four', added_by: 5 }),
      aProductRow('a', { seller: 'seller_three', added_by: 17 }),
    ])
    const left = async () => [
      (await rows(`select locked_rate_id from rate_entries where locked_rate_id like 'lr__' order by 1`))
        .map(({ locked_rate_id }) => locked_rate_id)
        .join(),
      (await rows(`select product_id, replaced_by::int from products where seller = 'seller_four' order by 1`))
        .map((row) => Object.values(row).join(' '))
        .join(),
    ]
    await withPublishLock(db, 'seller_four', async ({ seller }) => expect(seller).toBe('seller_four'))
    expect(await left()).toEqual(['lr_2,lr_3', 'b 0,d 0'])
    expect(await rows(`select count(*)::int as n from products where seller = 'seller_three' and added_by = 17`)).toEqual([{ n: 1 }])
    expect(await rows(`select unpublished_commit_nos from sellers where seller = 'seller_four'`)).toEqual([{ unpublished_commit_nos: [] }])
  })
})
