import { beforeAll, describe, expect, it } from '@jest/globals'
import { RateEntry } from '../../../src/contract/rateCard.ts'
import { readAudience } from '../../../src/store/catalog/audience.ts'
import { committedPrices, findCommits } from '../../../src/store/catalog/earlierCommits.ts'
import { findPrices, openOrdersCiting } from '../../../src/store/catalog/inForce.ts'
import { commitBefore, diffCommits, readPricesInForce } from '../../../src/store/catalog/ownRates.ts'
import { readPricedValues } from '../../../src/store/catalog/pricedValues.ts'
import { readPricedWeeks } from '../../../src/store/catalog/pricedWeeks.ts'
import {
  type CardQuestion,
  countPricesPerWeek,
  currentPrices,
  listCommits,
  readCommit,
  readCommitEntries,
  readCurrentCard,
  readCurrentCardOfFew,
  readCurrentCardOfWeeks,
} from '../../../src/store/catalog/rateCards.ts'
import { keepWindows, takeDueWindows } from '../../../src/store/catalog/rateWindows.ts'
import {
  aCommitRow,
  anAgreementRow,
  anOrderRow,
  aPriceRow,
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
const QUOTE = { visible_to: 'buyer_one', quote_expires_at: SOON }
const idsOf = (prices: readonly { locked_rate_id: string }[] = []) => prices.map(({ locked_rate_id }) => locked_rate_id)

/**
 * The newest commit of a key wins, whatever row came first. 7 is the number of a card that is being written. Each price differs from `lr_new`
 * by what its name says.
 */
beforeAll(() =>
  insertRows(db.owner(), [
    ...['seller_one', 'seller_two'].map((seller) => aTenantRow(seller, 'seller')),
    ...['buyer_one', 'buyer_two', 'buyer_three'].map((buyer) => aTenantRow(buyer, 'buyer')),
    aSellerRowOf('seller_one', { unpublished_commit_nos: [7] }),
    aSellerRowOf('seller_two'),
    anAgreementRow('agr_2'),
    anAgreementRow('agr_1'),
    anAgreementRow('agr_far', { ...OTHER, buyer_entity: 'buyer_three' }),
    anAgreementRow('agr_ended', { status: 'ended', buyer_entity: 'buyer_three' }),
    anAgreementRow('agr_past', { effective: '[2020-01-01,2020-12-31]', buyer_entity: 'buyer_three' }),
    aCommitRow('one', 1),
    aCommitRow('two', 2),
    aCommitRow('three', 3),
    aCommitRow('scoped', 4, { agreement_id: 'agr_1' }),
    aCommitRow('quoted', 5, { visible_to: 'buyer_one', order_id: 'ord_1' }),
    aCommitRow('last', 6),
    aCommitRow('far', 8, OTHER),
    aCommitRow('before', 9, OTHER),
    ['rate_commit_parts', { commit_no: 10, seller: 'seller_one', completes: 2 }],
    ['rate_commit_parts', { commit_no: 11, seller: 'seller_one', completes: 3 }],
    aPriceRow('lr_old', { commit_no: 1, commit: 'one' }),
    aPriceRow('lr_new', { commit_no: 3, commit: 'three', gross_rate_unit: '300' }),
    aPriceRow('lr_mid', { commit_no: 2, commit: 'two', gross_rate_unit: '200' }),
    aPriceRow('lr_hidden', { commit_no: 7, commit: 'hidden' }),
    aPriceRow('lr_far', { ...OTHER, commit_no: 8 }),
    aPriceRow('lr_product', { product_id: 'west', commit_no: 6 }),
    aPriceRow('lr_week', { week: '2030-W24', commit_no: 6 }),
    aPriceRow('lr_length', { spot_length: 15, commit_no: 6 }),
    aPriceRow('lr_market', { market_class: 'discounted', commit_no: 6 }),
    aPriceRow('lr_class', { advertiser_class: 'charity', commit_no: 6 }),
    aPriceRow('lr_type', { buy_type: 'fixed_position', commit_no: 6 }),
    aPriceRow('lr_tier', { clearance_tier: 'P2', commit_no: 6 }),
    aPriceRow('lr_agreed', { agreement_id: 'agr_1', commit_no: 4 }),
    aPriceRow('lr_agreed_else', { agreement_id: 'agr_2', commit_no: 13 }),
    aPriceRow('lr_quote', { ...QUOTE, commit_no: 5 }),
    aPriceRow('lr_quote_theirs', { ...QUOTE, visible_to: 'buyer_two', commit_no: 13 }),
    aPriceRow('lr_quote_lapsed', { ...QUOTE, quote_expires_at: PAST, spot_length: 60, commit_no: 6 }),
    aPriceRow('lr_quote_ended', { ...QUOTE, spot_length: 60, commit_no: 6 }),
    aPriceRow('lr_part', { week: '2030-W24', spot_length: 15, commit_no: 10 }),
    ['ended_quotes', { ended_id: 'lr_quote_ended', seller: 'seller_one', buyer_entity: 'buyer_one', reason: 'withdrawn' }],
  ]),
)

const OPEN_OF_WEEK = ['lr_class', 'lr_length', 'lr_market', 'lr_new', 'lr_tier', 'lr_type']
const ASK: CardQuestion = { seller: 'seller_one', buyer: 'buyer_one', productIds: ['prime'] }
const W23 = { from: ['2030-W23'], to: ['2030-W23'] }

describe('the current card as a buyer may see it', () => {
  const read = async (more: Partial<CardQuestion> = {}) => {
    const ask = { ...ASK, weeks: W23, ...more }
    const whole = idsOf(await readCurrentCard(db, ask)).sort()
    expect(idsOf(await readCurrentCardOfFew(db, ask, 100)).sort()).toEqual(whole)
    if (more.weeks === undefined) expect(idsOf(await readCurrentCardOfWeeks(db, ask, ['2030-W23'])).sort()).toEqual(whole)
    return whole
  }

  it('has the newest published price of each key: the open ones, and its own quotes', async () => {
    expect(await read()).toEqual([...OPEN_OF_WEEK.slice(0, 4), 'lr_quote', ...OPEN_OF_WEEK.slice(4)])
    expect(await read({ buyer: 'buyer_three' })).toEqual(OPEN_OF_WEEK)
    expect(await read({ buyer: 'buyer_three', agreementId: 'agr_1' })).toEqual(['lr_agreed', ...OPEN_OF_WEEK])
  })

  it('is read by product, spot length, market class and runs of weeks', async () => {
    const asked = { buyer: 'buyer_three' }
    expect(await read({ ...asked, productIds: ['west'] })).toEqual(['lr_product'])
    expect(await read({ ...asked, spotLength: 15 })).toEqual(['lr_length'])
    expect(await read({ ...asked, marketClass: 'discounted' })).toEqual(['lr_market'])
    expect(await read({ ...asked, weeks: { from: ['2030-W24', '2030-W30'], to: ['2030-W25', '2030-W31'] } })).toEqual([
      'lr_part',
      'lr_week',
    ])
    const { weeks: _, ...everyWeek } = { ...ASK, ...asked, weeks: undefined }
    expect(idsOf(await readCurrentCard(db, everyWeek)).sort()).toEqual([...OPEN_OF_WEEK, 'lr_part', 'lr_week'].sort())
  })

  it('comes by product, then week', async () => {
    const card = await readCurrentCard(db, { ...ASK, buyer: 'buyer_three', productIds: ['west', 'prime'] })
    const places = card.map(({ product_id, week }) => `${product_id} ${week}`)
    expect(places).toEqual([...places].sort())
  })

  it('is not read when it must scan too many prices', async () => {
    const few = { ...ASK, buyer: 'buyer_three', spotLength: 15, weeks: W23 }
    expect(idsOf(await readCurrentCardOfFew(db, few, 2))).toEqual(['lr_length'])
    expect(await readCurrentCardOfFew(db, few, 1)).toBeUndefined()
    expect(await readCurrentCardOfFew(db, { ...few, productIds: ['none'] }, 1)).toEqual([])
  })

  it('is counted by week, superseded prices included', async () => {
    expect([...(await countPricesPerWeek(db, { ...ASK, buyer: 'buyer_three' }))]).toEqual([
      ['2030-W23', OPEN_OF_WEEK.length + 2],
      ['2030-W24', 2],
    ])
  })
})

describe('the weeks that a buyer can order', () => {
  const priced = (more: object = {}) =>
    readPricedWeeks(db, { ...ASK, agreementIds: [], weeks: ['2030-W23'], buyer: 'buyer_three', ...more } as never)
  const lengths = async (more?: object) => (await priced(more)).map(({ spot_length }) => spot_length).sort()

  it('have an open price, a quote of the buyer, or one of its agreements', async () => {
    expect(await priced()).toHaveLength(2)
    expect((await priced({ buyer: 'buyer_one' })).find(({ spot_length }) => spot_length === 30)?.quoted).toBe(true)
    expect((await priced()).find(({ spot_length }) => spot_length === 30)?.quoted).toBe(false)
    expect(await priced({ productIds: ['none'] })).toEqual([])
    expect((await priced({ weeks: ['2030-W24'] })).map(({ week }) => week)).toEqual(['2030-W24', '2030-W24'])
  })

  it.each([
    ['opens later', `update rate_entries set window_opens = now() + interval '1 hour' where locked_rate_id = 'lr_length'`, [30]],
    ['has opened', `update rate_entries set window_opens = now() - interval '1 hour' where locked_rate_id = 'lr_length'`, [15, 30]],
    ['has closed', `update rate_entries set window_closes = now() - interval '1 hour' where locked_rate_id = 'lr_length'`, [30]],
    ['closes later', `update rate_entries set window_closes = now() + interval '1 hour' where locked_rate_id = 'lr_length'`, [15, 30]],
    [
      'was replaced by one that has closed',
      `update rate_entries set window_closes = now() - interval '1 hour' where locked_rate_id = 'lr_new';
      delete from rate_entries where locked_rate_id in ('lr_class', 'lr_market', 'lr_tier', 'lr_type')`,
      [15],
    ],
    ['is of an agreement', `update rate_entries set agreement_id = 'agr_1' where locked_rate_id = 'lr_length'`, [30]],
    ['is of another seller', `update rate_entries set seller = 'seller_two' where locked_rate_id = 'lr_length'`, [30]],
    ['is a quote for another buyer', `update rate_entries set visible_to = 'buyer_two' where locked_rate_id = 'lr_length'`, [30]],
  ])('where a price %s', async (_, change, expected) => {
    expect(
      await readAfter(db.pool, change, async ({ pool }) => {
        const weeks = await readPricedWeeks(
          { pool },
          { seller: 'seller_one', buyer: 'buyer_three', agreementIds: [], productIds: ['prime'], weeks: ['2030-W23'] },
        )
        return weeks.map(({ spot_length }) => spot_length).sort()
      }),
    ).toEqual(expected)
  })

  it('include those of the buyer’s agreements', async () => {
    const change = `delete from rate_entries where locked_rate_id <> 'lr_agreed'`
    const read = (agreementIds: string[]) =>
      readAfter(db.pool, change, ({ pool }) =>
        readPricedWeeks({ pool }, { seller: 'seller_one', buyer: 'buyer_three', agreementIds, productIds: ['prime'], weeks: ['2030-W23'] }),
      )
    expect([(await read(['agr_1'])).length, (await read(['agr_2'])).length, await lengths()]).toEqual([1, 0, [15, 30]])
  })
})

describe('a seller’s own prices', () => {
  it('in force are the newest published of each key and scope, without quotes', async () => {
    const inForce = await readPricesInForce(db, 'seller_one', 'prime', ['2030-W23'])
    expect(idsOf(inForce).sort()).toEqual(['lr_agreed', 'lr_agreed_else', ...OPEN_OF_WEEK].sort())
    const two = await readPricesInForce(db, 'seller_one', 'prime', ['2030-W24', '2030-W23'])
    expect(two.map(({ week }) => week)).toEqual(two.map(({ week }) => week).sort())
  })

  it('are found by the keys of entries, in one scope', async () => {
    const entry = (more: object = {}) =>
      RateEntry.parse({
        ...{ product_id: 'prime', market_class: 'scatter', advertiser_class: 'general', spot_length: 30, buy_type: 'preemptible' },
        ...{ gross_rate_unit: 1, ...more },
      })
    const found = async (agreement: string | null, more?: object, week = '2030-W23') =>
      (await findPrices(db.sql, 'seller_one', agreement, [{ week, entry: entry(more) }]))[0]?.locked_rate_id
    expect(await found(null)).toBe('lr_new')
    expect([await found('agr_1'), await found('agr_none')]).toEqual(['lr_agreed', undefined])
    const asked = [{ spot_length: 15 }, { market_class: 'discounted' }, { advertiser_class: 'charity' }, { buy_type: 'fixed_position' }]
    const others = [...asked, { clearance_tier: 'P2' }, { product_id: 'west' }]
    expect(await Promise.all(others.map((more) => found(null, more)))).toEqual([
      ...['lr_length', 'lr_market', 'lr_class', 'lr_type', 'lr_tier', 'lr_product'],
    ])
    expect([await found(null, {}, '2030-W24'), await found(null, {}, '2030-W25')]).toEqual(['lr_week', undefined])
    const keys = [
      { week: '2030-W24', entry: entry() },
      { week: '2030-W23', entry: entry() },
    ]
    expect((await findPrices(db.sql, 'seller_one', null, keys)).map((price) => price?.locked_rate_id)).toEqual(['lr_week', 'lr_new'])
  })

  it('are cited by its open orders', async () => {
    const citing = (order_id: string, rate: string, more: object = {}) =>
      anOrderRow(order_id, {
        snapshot_lines: `,"line_items":[{"rate":{"locked_rate_id":"${rate}"}},{"rate":{"locked_rate_id":"${rate}"}}]`,
        ...more,
      })
    await insertRows(db.owner(), [
      citing('ord_1', 'lr_new'),
      citing('ord_2', 'lr_mid'),
      citing('ord_3', 'lr_new', { status: 'placed' }),
      citing('ord_4', 'lr_new', OTHER),
      citing('ord_5', 'lr_old'),
      anOrderRow('ord_6', { snapshot_lines: '' }),
      [
        'order_records',
        { order_id: 'ord_6', request_sha256: '', request: '{"line_items":[{"rate":{"locked_rate_id":"lr_new"}}]}', facts: '{}', reply: '' },
      ],
    ])
    expect(await openOrdersCiting(db.sql, 'seller_one', ['lr_new', 'lr_mid'])).toBe(3)
  })

  it('are in force together, where weeks of a month differ or are asked for', async () => {
    const written = 'delete from rate_entries where commit_no = 7' // a publish sees its own
    const standing = async (scope: { agreementId: string | null } | 'all', weeks: string[] = [], products = ['prime']) => {
      const prices = await readAfter(db.pool, written, ({ sql }) => currentPrices(sql, 'seller_one', products, scope, weeks))
      return prices.map(({ week, spot_length, gross_rate_unit, agreement_id }) =>
        `${week} ${spot_length} ${Number(gross_rate_unit)} ${agreement_id ?? ''}`.trim(),
      )
    }
    expect(await standing({ agreementId: null })).toEqual(['2030-W23 30 300', '2030-W24 30 100'])
    expect(await standing({ agreementId: 'agr_1' })).toEqual([])
    expect(await standing({ agreementId: 'agr_1' }, ['2030-W23'])).toEqual(['2030-W23 30 100 agr_1'])
    expect((await standing('all', ['2030-W23'])).filter((each) => each.endsWith('agr_2'))).toHaveLength(1)
    expect(await standing({ agreementId: null }, ['2030-W23'], ['west'])).toEqual(['2030-W23 30 100'])
  })
})

describe('the commits of a seller', () => {
  it('are listed newest first, by page, and read by name', async () => {
    const names = async (before?: string, limit = 9) => (await listCommits(db, 'seller_one', before, limit)).map(({ commit }) => commit)
    expect(await names()).toEqual(['last', 'quoted', 'scoped', 'three', 'two', 'one'])
    expect(await names('4', 2)).toEqual(['three', 'two'])
    expect(await readCommit(db, 'seller_one', 'quoted')).toMatchObject({ quote: { buyer_entity: 'buyer_one', order_id: 'ord_1' } })
    expect(await readCommit(db, 'seller_one', 'far')).toBeUndefined()
    const found = await findCommits(db.sql, 'seller_one', ['two', 'three', 'last', 'far'])
    expect(found.map(({ commit, has_parts }) => `${commit} ${has_parts}`).sort()).toEqual(['last false', 'three true', 'two true'])
  })

  it('follow the one before in their scope, without quotes', async () => {
    const earlier = async (no: string, seller = 'seller_one') => (await commitBefore(db, seller, no))?.commit
    expect([await earlier('6'), await earlier('4'), await earlier('1'), await earlier('9', 'seller_two')]).toEqual([
      'three',
      undefined,
      undefined,
      'far',
    ])
    expect(await earlier('9')).toBeUndefined()
  })

  it('have the prices of their parts, by page', async () => {
    const entries = async (no: string, after?: string, limit = 9) => idsOf(await readCommitEntries(db, no, after, limit))
    expect(await entries('2')).toEqual(['lr_mid', 'lr_part'])
    expect([await entries('2', 'lr_mid'), await entries('2', undefined, 1), await entries('1')]).toEqual([
      ['lr_part'],
      ['lr_mid'],
      ['lr_old'],
    ])
  })

  it('differ by key, each difference once, by page', async () => {
    const { counts, items } = await diffCommits(db, '2', '1', { after: undefined, limit: 9 })
    expect(counts).toEqual({ added: 1, changed: 1, removed: 0, unchanged: 0 })
    expect(items.map(({ change, week }) => `${change} ${week}`)).toEqual(['changed 2030-W23', 'added 2030-W24'])
    expect((await diffCommits(db, '2', '1', { after: items[0]?.key, limit: 9 })).items).toEqual(items.slice(1))
    expect((await diffCommits(db, '2', '1', { after: undefined, limit: 1 })).items).toEqual(items.slice(0, 1))
    expect((await diffCommits(db, '1', '2', { after: undefined, limit: 9 })).counts).toMatchObject({ removed: 1, changed: 1 })
    expect((await diffCommits(db, '1', '1', { after: undefined, limit: 9 })).counts).toMatchObject({ unchanged: 1 })
    expect((await diffCommits(db, '1', undefined, { after: undefined, limit: 9 })).counts).toMatchObject({ added: 1 })
  })

  it('have published prices for the keys of entries', async () => {
    const entry = RateEntry.parse({
      ...{
        product_id: 'prime',
        market_class: 'scatter',
        advertiser_class: 'general',
        spot_length: 30,
        buy_type: 'preemptible',
        gross_rate_unit: 1,
      },
    })
    const prices = (more: object) => committedPrices(db.sql, { commit_no: '6' }, [{ ...entry, ...more }])
    expect((await prices({})) as unknown[]).toMatchObject([{ weeks: ['2030-W24'] }])
    expect((await prices({ clearance_tier: 'P2' })) as unknown[]).toMatchObject([{ weeks: ['2030-W23'], clearance_tier: 'P2' }])
    expect(await committedPrices(db.sql, { commit_no: '1' }, [{ ...entry, spot_length: 15 }])).toEqual([])
  })
})

describe('what is priced at all', () => {
  beforeAll(() =>
    insertRows(
      db.owner(),
      [
        { value: 'a' },
        { value: 'b', agreement_id: 'agr_1' },
        { value: 'c', agreement_id: 'agr_2' },
        { value: 'd', commit_no: 7 },
        { value: 'e', ...OTHER },
        { value: 'f', product_id: 'west' },
        { value: 'a', agreement_id: 'agr_1' },
      ].map((row) => ['priced_values', { seller: 'seller_one', product_id: 'prime', member: 'currency', commit_no: 1, ...row }] as const),
    ),
  )
  it('is published, in the scope and of the products', async () => {
    const values = async (agreementIds: string[] | 'all', productIds?: string[]) =>
      (await readPricedValues(db.sql, 'seller_one', { agreementIds, ...(productIds && { productIds }) })).map(({ value }) => value).sort()
    expect(await values([])).toEqual(['a', 'f'])
    expect(await values(['agr_1'], ['prime'])).toEqual(['a', 'b'])
    expect(await values('all')).toEqual(['a', 'b', 'c', 'f'])
  })
})

describe('who reads a publish', () => {
  it('is every buyer, with the agreements in force that it holds with the seller', async () => {
    const audience = await readAudience(db.sql, 'seller_one', new Date().toISOString().slice(0, 10))
    expect(audience.map(({ buyers, agreements }) => [buyers, agreements.map(({ agreement_id }) => agreement_id)])).toEqual([
      [['buyer_three', 'buyer_two'], []],
      [['buyer_one'], ['agr_1', 'agr_2']],
    ])
  })
})

describe('the windows of prices', () => {
  const OPENS = '2030-06-01T00:00:00.000Z'
  const CLOSES = '2030-07-01T00:00:00.000Z'
  const NOW = '2030-06-15T00:00:00.000Z'
  const windowed = (locked_rate_id: string, more: object = {}) =>
    aPriceRow(locked_rate_id, { product_id: 'w', commit_no: 6, window_opens: OPENS, window_closes: CLOSES, ...more })
  const take = (limit = 9, commitNo?: string) => db.sql.transaction().execute((tx) => takeDueWindows(tx, NOW, limit, commitNo))

  it('are kept once for what they are of, unless they are over', async () => {
    await insertRows(db.owner(), [
      windowed('lr_w1'),
      windowed('lr_w2', { spot_length: 15 }),
      windowed('lr_w3', { week: '2030-W24', window_opens: null }),
      windowed('lr_w4', { week: '2030-W25', window_closes: PAST }),
      windowed('lr_w5', { week: '2030-W26' }),
    ])
    await db.sql.transaction().execute((tx) => keepWindows(tx, ['lr_w1', 'lr_w2', 'lr_w3', 'lr_w4']))
    const { rows } = await db.owner().query('select week, opens <= now() as is_open from rate_windows order by 1')
    expect(rows).toEqual([
      { week: '2030-W23', is_open: false },
      { week: '2030-W24', is_open: true },
    ])
    await db.owner().query('delete from rate_windows')
  })

  it('are taken when they are due, with the prices that are still the newest of their key', async () => {
    const row = (week: string, more: object = {}) =>
      [
        'rate_windows',
        {
          opens: OPENS,
          entry_opens: OPENS,
          seller: 'seller_one',
          commit_no: 6,
          product_id: 'w',
          week,
          market_class: 'scatter',
          closes: CLOSES,
          ...more,
        },
      ] as const
    const newer = (week: string, more: object = {}) =>
      windowed(`lr_n${week}${Object.values(more).join()}`, { week, commit_no: 12, window_opens: null, window_closes: null, ...more })
    const alike = [
      '2030-W31',
      '2030-W32',
      '2030-W33',
      '2030-W34',
      '2030-W35',
      '2030-W36',
      '2030-W37',
      '2030-W38',
      '2030-W39',
      '2030-W40',
      '2030-W41',
      '2030-W42',
    ]
    await insertRows(db.owner(), [
      ...alike.flatMap((week) => [windowed(`lr_${week}`, { week }), row(week)]),
      newer('2030-W31'), // replaced
      newer('2030-W32', { spot_length: 15 }),
      newer('2030-W33', { market_class: 'discounted' }),
      newer('2030-W34', { advertiser_class: 'charity' }),
      newer('2030-W35', { buy_type: 'fixed_position' }),
      newer('2030-W36', { clearance_tier: 'P2' }),
      newer('2030-W37', { agreement_id: 'agr_1' }),
      newer('2030-W38', { visible_to: 'buyer_one' }),
      newer('2030-W39', { commit_no: 7 }),
      newer('2030-W40', OTHER),
      newer('2030-W41', { product_id: 'x' }),
      newer('2030-W42', { commit_no: 5 }),
      row('2030-W50', { commit_no: 99 }), // of no commit
      row('2030-W51', { opens: '2030-06-20T00:00:00Z' }),
      row('2030-W52', { opens: '2030-05-01T00:00:00Z', closes: '2030-06-10T00:00:00Z' }), // over
      row('2030-W53', { commit_no: 10 }), // of a part
      windowed('lr_other_opens', { week: '2030-W31', spot_length: 60, window_opens: null }),
    ])
    const { taken, windows } = await take()
    expect(taken).toBe(9)
    expect(windows.every(({ week }) => week !== '2030-W31')).toBe(true)
    const rest = await take()
    expect([...windows, ...rest.windows].map(({ week }) => week).sort()).toEqual(alike.slice(1))
    expect(taken + rest.taken).toBe(14)
    const left = await db.owner().query('select week from rate_windows order by 1')
    expect(left.rows.map(({ week }) => week)).toEqual(['2030-W50', '2030-W51'])
  })

  it('are taken of one commit alone where it asks, and none that another takes', async () => {
    await db.owner().query('delete from rate_windows')
    const row = (commit_no: number) =>
      [
        'rate_windows',
        {
          opens: OPENS,
          entry_opens: OPENS,
          seller: 'seller_one',
          commit_no,
          product_id: 'w',
          week: '2030-W23',
          market_class: 'scatter',
          closes: CLOSES,
        },
      ] as const
    await insertRows(db.owner(), [row(2), row(3)])
    expect((await take(9, '3')).taken).toBe(1)
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from rate_windows for update')
      expect((await take()).taken).toBe(0)
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect((await take()).taken).toBe(1)
  })
})
