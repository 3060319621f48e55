import { beforeAll, describe, expect, it } from '@jest/globals'
import type { ReadableCreate } from '../../../src/contract/readableCreate.ts'
import { readIntake } from '../../../src/store/orders/orderFacts.ts'
import {
  anAgreementRow,
  anAvailRow,
  aPriceRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  PAST,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
/** A week that is in no month of these tests. */
const APART = { week: '2030-W40' }
const QUOTE = { visible_to: 'buyer_one', quote_expires_at: SOON }
/** Keys of their own, so that each has its card; each is cited by its price of the first week of June. */
const FIRST = { week: '2030-W22' }
const keyed = (advertiser_class: string, more: object = {}) => ({ ...FIRST, advertiser_class, ...more })

/** 7 is the number of a card that is being written. */
beforeAll(() =>
  insertRows(db.owner(), [
    aTenantRow('seller_one', 'seller'),
    aSellerRowOf('seller_one', { unpublished_commit_nos: [7] }),
    anAgreementRow('agr_1'),
    aPriceRow('lr_open', APART),
    aPriceRow('lr_expiring', { ...APART, quote_expires_at: PAST }),
    aPriceRow('lr_far', { ...APART, seller: 'seller_two' }),
    aPriceRow('lr_hidden', { ...APART, commit_no: 7 }),
    aPriceRow('lr_agreed', { ...APART, agreement_id: 'agr_1' }),
    aPriceRow('lr_agreed_else', { ...APART, agreement_id: 'agr_2' }),
    aPriceRow('lr_quote', { ...APART, ...QUOTE }),
    aPriceRow('lr_quote_theirs', { ...APART, ...QUOTE, visible_to: 'buyer_two' }),
    aPriceRow('lr_quote_lapsed', { ...APART, ...QUOTE, quote_expires_at: PAST }),
    aPriceRow('lr_quote_ended', { ...APART, ...QUOTE }),
    aPriceRow('lr_uncited', APART),
    ['ended_quotes', { ended_id: 'lr_quote_ended', seller: 'seller_one', buyer_entity: 'buyer_one', reason: 'withdrawn' }],
    ['ended_quotes', { ended_id: 'lr_m_ended', seller: 'seller_one', buyer_entity: 'buyer_one', reason: 'withdrawn' }],
    // The month's key: the newest commit wins each week, whatever came first.
    aPriceRow('lr_m', { ...FIRST, commit_no: 2 }),
    aPriceRow('lr_m_newest', { ...FIRST, commit_no: 3 }),
    aPriceRow('lr_m_oldest', { ...FIRST, commit_no: 1 }),
    aPriceRow('lr_m_hidden', { ...FIRST, commit_no: 7 }),
    aPriceRow('lr_m_last', { week: '2030-W26' }),
    aPriceRow('lr_m_after', { week: '2030-W27' }),
    aPriceRow('lr_m_product', { ...FIRST, product_id: 'west', commit_no: 9 }),
    aPriceRow('lr_m_length', { ...FIRST, spot_length: 15, commit_no: 9 }),
    aPriceRow('lr_m_market', { ...FIRST, market_class: 'discounted', commit_no: 9 }),
    aPriceRow('lr_m_class', { ...FIRST, advertiser_class: 'charity', commit_no: 9 }),
    aPriceRow('lr_m_type', { ...FIRST, buy_type: 'fixed_position', commit_no: 9 }),
    aPriceRow('lr_m_tier', { ...FIRST, clearance_tier: 'P2', commit_no: 9 }),
    aPriceRow('lr_m_agreement', { ...FIRST, agreement_id: 'agr_1', commit_no: 9 }),
    aPriceRow('lr_m_quote', { ...FIRST, ...QUOTE, commit_no: 9 }),
    aPriceRow('lr_m_seller', { ...FIRST, seller: 'seller_two', commit_no: 9 }),
    // Keys that only a price names which is not the buyer's, beside an open price of the same seller.
    aPriceRow('lr_m_key_far', { ...keyed('far'), seller: 'seller_two' }),
    aPriceRow('lr_m_key_near', keyed('far')),
    aPriceRow('lr_m_else', keyed('general', { agreement_id: 'agr_2' })),
    aPriceRow('lr_m_theirs', keyed('general', { ...QUOTE, visible_to: 'buyer_two' })),
    aPriceRow('lr_m_lapsed', keyed('lapsed', { ...QUOTE, quote_expires_at: PAST })),
    aPriceRow('lr_m_ended', keyed('ended', QUOTE)),
    aPriceRow('lr_m_endless', keyed('endless', { ...QUOTE, quote_expires_at: null })),
    anAvailRow('prime', '2030-W23'),
    anAvailRow('prime', '2030-W24'),
    anAvailRow('west', '2030-W23'),
    anAvailRow('prime', '2030-W23', { seller: 'seller_two', body: '{"spots":{"available":9}}' }),
    anAvailRow('units', '2030-W23', { body: '{"units":{"available":3}}' }),
  ]),
)

const WEEK = { grain: 'week', start: '2030-W23' }
const MONTH = { grain: 'month', start: '2030-06' }
const read = (
  period: object,
  ids: readonly string[],
  { agreement_id, product_id = 'prime' }: { agreement_id?: string; product_id?: string } = {},
) =>
  readIntake(
    db,
    {
      seller: 'seller_one',
      agreement_id,
      line_items: ids.map((locked_rate_id) => ({ product_id, period, rate: { locked_rate_id } })),
    } as unknown as ReadableCreate,
    'buyer_one',
  )
const idsOf = (prices: readonly { locked_rate_id: string }[]) => prices.map(({ locked_rate_id }) => locked_rate_id).sort()
const card = async (ids: readonly string[], agreement_id?: string) =>
  idsOf((await read(MONTH, ids, agreement_id === undefined ? {} : { agreement_id })).card)

describe('the prices that lines cite', () => {
  const OPEN = ['lr_expiring', 'lr_open']
  const QUOTES = ['lr_quote', 'lr_quote_ended', 'lr_quote_lapsed']
  const ALL = [...OPEN, 'lr_open', 'lr_far', 'lr_hidden', 'lr_agreed', 'lr_agreed_else', ...QUOTES, 'lr_quote_theirs']

  it('are those that the buyer may see of the seller: open ones, its quotes, and those of the agreement that it presents', async () => {
    expect(idsOf((await read(WEEK, ALL)).cited)).toEqual([...OPEN, ...QUOTES])
    expect(idsOf((await read(WEEK, ALL, { agreement_id: 'agr_1' })).cited)).toEqual(['lr_agreed', ...OPEN, ...QUOTES])
  })

  it('say why a quote is no price any more, and of a price on the card nothing', async () => {
    const { cited } = await read(WEEK, ALL)
    expect(Object.fromEntries(cited.map((rate) => [rate.locked_rate_id, rate.quote_ended]))).toEqual({
      lr_open: null,
      lr_expiring: null,
      lr_quote: null,
      lr_quote_lapsed: 'lapsed',
      lr_quote_ended: 'withdrawn',
    })
  })
})

describe('the card of a month line', () => {
  it('has the newest published price of the cited key in each week of the month, and of no other key', async () => {
    expect(await card(['lr_m'])).toEqual(['lr_m_last', 'lr_m_newest'])
    expect(await card(['lr_m', 'lr_m_oldest'])).toEqual(['lr_m_last', 'lr_m_newest'])
  })

  it.each([
    ['another tier', 'lr_m_tier', undefined, ['lr_m_tier']],
    ['the agreement that is presented', 'lr_m_agreement', 'agr_1', ['lr_m_agreement']],
    ['an agreement that is not presented', 'lr_m_agreement', undefined, []],
    ['another agreement than the one presented', 'lr_m_else', 'agr_1', []],
    ['a quote for the buyer', 'lr_m_quote', undefined, ['lr_m_quote']],
    ['a quote for the buyer without an end', 'lr_m_endless', undefined, ['lr_m_endless']],
    ['a quote for another buyer', 'lr_m_theirs', undefined, []],
    ['a quote that has lapsed', 'lr_m_lapsed', undefined, []],
    ['a quote that was ended', 'lr_m_ended', undefined, []],
    ['another seller', 'lr_m_key_far', undefined, []],
  ])('is, where the line cites a price of %s, its own or empty', async (_, cited, agreement_id, ids) => {
    expect(await card([cited], agreement_id)).toEqual(ids)
  })
})

describe('the avails of lines', () => {
  it('are those of the product and the period with the seller, with the count of spots or units', async () => {
    expect((await read(WEEK, ['lr_open'])).avails).toMatchObject([{ product_id: 'prime', start: '2030-W23', available: 1 }])
    expect((await read(WEEK, ['lr_open'], { product_id: 'units' })).avails).toMatchObject([{ product_id: 'units', available: 3 }])
  })
})
