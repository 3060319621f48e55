import { beforeAll, describe, expect, it } from '@jest/globals'
import { anAgreement } from '../../support/orders/published.ts'
import { expectAnswer, firstLine, invalid, missing, type Sentence } from '../../support/orders/sentences.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The spec's sentences on the lines of a new order. creatives.test.ts covers those on creatives, attachments.test.ts those on attachments. */

const market = useMarket()
beforeAll(async () => {
  const terms = anAgreement({ buyer_entity: 'zenith', permitted_grains: ['week'] })
  expect((await market.cable.put('/me/agreements/agr-weeks', terms)).status).toBe(201)
})

type Json = Record<string, unknown>
const order = (more: Json = {}) => market.order(more)
const line = (more: Json = {}, rate: Json = {}) => order({ line_items: [market.line(more, rate)] })

const LINES: Sentence[] = [
  [
    'product_id: From the seller catalog; unknown is 422 INVALID_INPUT.',
    () => line({ product_id: 'news' }),
    invalid('line_items.0.product_id'),
  ],
  [
    'period: start formats are YYYY-MM-DD, YYYY-Www, YYYY-MM respectively.',
    () => line({ period: { grain: 'week', start: '2030-06-03' } }),
    invalid('line_items.0.period.start'),
  ],
  [
    "period: Grain must be offered by the product's grains, else 422 GRAIN_NOT_OFFERED",
    () =>
      line(
        { product_id: 'weekend', period: { grain: 'day', start: '2030-06-08' } },
        { unit_cost: 99.99, locked_rate_id: market.price('weekend', '2030-W23') },
      ),
    { status: 422, code: 'GRAIN_NOT_OFFERED', details: { field: 'line_items.0.period.grain', permitted_grains: undefined } },
  ],
  [
    "period: details.permitted_grains is present only when an agreement's permitted_grains excluded a grain the product sells.",
    () => line({ period: { grain: 'day', start: '2030-06-05' } }),
    { status: 422, code: 'GRAIN_NOT_OFFERED', details: { permitted_grains: ['week'] }, buyer: 'zenith' },
  ],
  ['units: required', () => line({ units: undefined }), missing('line_items.0.units')],
  [
    'impressions_goal: A catalog line carrying it is 422 INVALID_INPUT.',
    () => line({ impressions_goal: 5000 }),
    invalid('line_items.0.impressions_goal'),
  ],
  ['spot_length: A length the cited rate entry prices.', () => line({ spot_length: 15 }), invalid('line_items.0.spot_length')],
  ['include_mirror: Default false', () => order(), firstLine({ include_mirror: false })],
  [
    "include_mirror: books the product's paired mirror airing.",
    () => line({ include_mirror: true }),
    firstLine({ include_mirror: true, mirror: expect.objectContaining({ product_id: 'prime-west', network: 'CBL-W' }) }),
  ],
  [
    'rc_impressions: Impression estimates per audience code at order time.',
    () => line({ rc_impressions: { 'A25-54': 41_000 } }),
    firstLine({ rc_impressions: { 'A25-54': 41_000 } }),
  ],
  [
    'do_not_air: A request only: stored, not validated against the flight.',
    () => order({ flight: { start: '2030-06-01', end: '2030-06-30' }, line_items: [market.line({ do_not_air: ['2031-01-01'] })] }),
    firstLine({ do_not_air: ['2031-01-01'] }),
  ],
  [
    'Provider and network of a line are not sent; they derive from product_id and are echoed on reads.',
    () => line({ provider: 'Mine', network: 'MINE' }),
    () => firstLine({ network: 'CBL', provider: expect.not.stringMatching(/^Mine$/) }),
  ],
]

const RATES: Sentence[] = [
  ['market_class: `scatter` or `discounted`', () => line({}, { market_class: 'remnant' }), invalid('line_items.0.rate.market_class')],
  ['advertiser_class: Prices the line.', () => line({}, { advertiser_class: 'charity' }), invalid('line_items.0.rate.advertiser_class')],
  ['buy_type: enum', () => line({}, { buy_type: 'barter' }), invalid('line_items.0.rate.buy_type')],
  [
    'unit_cost or cpm: Exactly one, else 422 INVALID_INPUT. (both)',
    () => line({}, { unit_cost: 1250.5, cpm: 1 }),
    invalid('line_items.0.rate.unit_cost'),
  ],
  [
    'unit_cost or cpm: Exactly one, else 422 INVALID_INPUT. (neither)',
    () => line({}, { unit_cost: undefined }),
    invalid('line_items.0.rate.unit_cost'),
  ],
  [
    'rate_basis: Derived by the platform from which cost field is present; emitted on reads, ignored if sent.',
    () => line({}, { rate_basis: 'cpm' }),
    firstLine({ rate: expect.objectContaining({ rate_basis: 'per_unit', unit_cost: 1250.5 }) }),
  ],
  [
    'rate_basis: `per_second` is refused 422 INVALID_INPUT.',
    () => line({}, { rate_basis: 'per_second' }),
    invalid('line_items.0.rate.rate_basis'),
  ],
  [
    'locked_rate_id: a booked price is a price the seller published, never a number the buyer computed.',
    () => line({}, { unit_cost: 1250.49 }),
    () => invalid('line_items.0.rate.unit_cost', { locked_rate_id: market.price('prime', '2030-W23') }),
  ],
  [
    'locked_rate_id: Taken from the avails read, unchanged.',
    () => line({}, { locked_rate_id: 'lr_mine' }),
    invalid('line_items.0.rate.locked_rate_id', { locked_rate_id: 'lr_mine' }),
  ],
]

describe.each([
  ['Line item', LINES],
  ['Rate', RATES],
] as const)('%s', (_, sentences) => {
  it.each(sentences)('%s', (_sentence, body, answer) => expectAnswer(market, body, answer))
})
