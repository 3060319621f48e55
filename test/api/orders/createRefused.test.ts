import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type More = Record<string, unknown>
/** What is wrong, how the body is built, what `details.field` names, and what else the reply contains. */
type Case = [what: string, body: () => More, field: string, also?: { error_code?: string; details?: More }]

const order = (more: More = {}) => market.order(more)
const line = (more: More = {}, rate: More = {}) => order({ line_items: [market.line(more, rate)] })
const without = (member: string) => {
  const { [member]: _, ...rest } = order()
  return rest
}
const metadata = (more: More) => order({ buyer_metadata: { advertiser_id: 'adv-1', ...more } })
const period = (grain: string, start: string, more: More = {}) => line({ period: { grain, start }, ...more })
const flown = (grain: string, start: string, flight: More, rate: More = {}) =>
  order({ flight, line_items: [market.line({ period: { grain, start } }, rate)] })
const other = (product_id: string, more: More = {}, rate: More = {}) =>
  line({ product_id, ...more }, { unit_cost: 99.99, locked_rate_id: market.price(product_id, '2030-W23'), ...rate })
const attachment = { upload_id: 'upl_x', format: 'pdf', role: 'buysheet', filename: 'sheet.pdf', sha256: 'a'.repeat(64) }
const { sha256: _, ...unhashed } = attachment
const missing = (field: string) => ({ details: { missing: [field] } })
const cites = (rate: () => string) => ({
  get details() {
    return { locked_rate_id: rate() }
  },
})
const prime = cites(() => market.price('prime', '2030-W23'))

const HEAD: Case[] = [
  ['no seller', () => without('seller'), 'seller', missing('seller')],
  ['an empty external_order_id', () => order({ external_order_id: '' }), 'external_order_id', missing('external_order_id')],
  ['an external_order_id of 201 characters', () => order({ external_order_id: 'x'.repeat(201) }), 'external_order_id'],
  ['an advertiser that is not a string', () => metadata({ advertiser_id: 7 }), 'buyer_metadata.advertiser_id'],
  ['a contact that is not an object', () => metadata({ buyer_contact: 'Ann' }), 'buyer_metadata.buyer_contact'],
  ['a contact name that is not a string', () => metadata({ buyer_contact: { name: 1 } }), 'buyer_metadata.buyer_contact.name'],
  ['two of the three inputs', () => order({ request: { request_type: 'open' } }), 'request'],
  [
    'three inputs',
    () => order({ request: { request_type: 'open', brief: 'Any' }, document: { upload_id: 'u', format: 'pdf' } }),
    'request',
  ],
  ['no line at all', () => order({ line_items: [] }), 'line_items'],
  ['a buyer for a seller', () => order({ seller: 'zenith' }), 'seller'],
  ["another seller's commit", () => order({ rate_version: 'june-local' }), 'rate_version'],
  [
    'a proposal to a seller who takes none',
    () => ({ ...without('line_items'), request: { request_type: 'open', brief: 'Any' } }),
    'workflow',
  ],
  ['a document to a seller who takes none', () => ({ ...without('line_items'), document: { upload_id: 'u', format: 'pdf' } }), 'workflow'],
  ['an attachment without its hash', () => order({ attachments: [{ sha256: 'no', ...unhashed }] }), 'attachments.0.sha256'],
  ['an agreement with nobody', () => order({ agreement_id: 'agr_x' }), 'agreement_id', { details: { agreement_id: 'agr_x' } }],
  ['a settlement_mode that is not the resolved one', () => order({ settlement_mode: 'cleared' }), 'settlement_mode'],
  ['an unknown settlement_mode', () => order({ settlement_mode: 'barter' }), 'settlement_mode'],
  ['a negative separation', () => order({ buyer_requests: { min_separation_seconds: -1 } }), 'buyer_requests.min_separation_seconds'],
  ['an issued_at without a zone', () => order({ issued_at: '2030-01-01T00:00:00' }), 'issued_at'],
  ['a flight that ends before it starts', () => order({ flight: { start: '2030-06-09', end: '2030-06-03' } }), 'flight.end'],
  ['a flight on a date that does not exist', () => order({ flight: { start: '2030-02-30', end: '2030-06-30' } }), 'flight.start'],
]

const LINES: Case[] = [
  ['no product', () => line({ product_id: undefined }), 'line_items.0.product_id', missing('line_items.0.product_id')],
  ['an unknown product', () => line({ product_id: 'nothing' }), 'line_items.0.product_id'],
  ['a product that the buyer may not see', () => other('hidden'), 'line_items.0.product_id'],
  ['zero units', () => line({ units: 0 }), 'line_items.0.units'],
  ['half a unit', () => line({ units: 1.5 }), 'line_items.0.units'],
  ['units in a string', () => line({ units: '10' }), 'line_items.0.units'],
  ['an unknown grain', () => period('quarter', '2030-Q2'), 'line_items.0.period.grain'],
  ['a week that the year does not have', () => period('week', '2030-W53'), 'line_items.0.period.start'],
  ['a day that the month does not have', () => period('day', '2030-06-31'), 'line_items.0.period.start'],
  ['a date on which the product is not sold', () => other('spring'), 'line_items.0.period'],
  ['a week in which the program does not air', () => period('week', '2030-W24', finale('2030-W24')), 'line_items.0.period'],
  ['a mirror of a product without one', () => other('weekend', { include_mirror: true }), 'line_items.0.include_mirror'],
  ['an unknown creative', () => line({ creative_id: 'cr_x' }), 'line_items.0.creative_id', { error_code: 'UNKNOWN_CREATIVE' }],
  ['a do_not_air that is not a date', () => line({ do_not_air: ['monday'] }), 'line_items.0.do_not_air.0'],
  ['a spot length other than that of the price', () => line({ spot_length: 15 }), 'line_items.0.spot_length', prime],
  ['a week that the price is not for', () => period('week', '2030-W24'), 'line_items.0.period', prime],
]
const finale = (week: string) => ({ product_id: 'finale', rate: { ...rateOf('finale', week), unit_cost: 99.99 } })
const rateOf = (product_id: string, week: string) => ({
  ...(market.line().rate as More),
  locked_rate_id: market.price(product_id, week),
})

const guaranteed = (more: More = {}) => ({
  advertiser_class: 'guaranteed',
  buy_type: 'audience_guaranteed',
  cpm: 24.5,
  guaranteed_impressions: 40_000,
  audience_code: 'A25-54',
  locked_rate_id: market.price('prime', '2030-W23', 'guaranteed'),
  ...more,
})
const RATES: Case[] = [
  ['a cent more', () => line({}, { unit_cost: 1250.51 }), 'line_items.0.rate.unit_cost', prime],
  [
    "another product's price",
    () => line({}, { locked_rate_id: market.price('weekend', '2030-W23') }),
    'line_items.0.rate.locked_rate_id',
    cites(() => market.price('weekend', '2030-W23')),
  ],
  ["another seller's price", () => line({}, { locked_rate_id: market.price('news', '2030-W23') }), 'line_items.0.rate.locked_rate_id'],
  ['another market class', () => line({}, { market_class: 'discounted' }), 'line_items.0.rate.market_class', prime],
  ['another advertiser class', () => line({}, { advertiser_class: 'charity' }), 'line_items.0.rate.advertiser_class', prime],
  ['another buy type', () => line({}, { buy_type: 'fixed_position' }), 'line_items.0.rate.buy_type', prime],
  ['another currency', () => line({}, { currency: 'EUR' }), 'line_items.0.rate.currency', prime],
  ['an invalid currency', () => line({}, { currency: 'dollars' }), 'line_items.0.rate.currency'],
  ['a tier that the price does not have', () => line({}, { clearance_tier: 'P2' }), 'line_items.0.rate.clearance_tier', prime],
  [
    'a quote expiry on a published price',
    () => line({}, { quote_expires_at: '2099-01-01T00:00:00Z' }),
    'line_items.0.rate.quote_expires_at',
    prime,
  ],
  ['a cpm where a unit is priced', () => line({}, { cpm: 20 }), 'line_items.0.rate.unit_cost', prime],
  [
    'other guaranteed impressions',
    () => line({}, guaranteed({ guaranteed_impressions: 50_000 })),
    'line_items.0.rate.guaranteed_impressions',
  ],
  ['another audience', () => line({}, guaranteed({ audience_code: 'A18-49' })), 'line_items.0.rate.audience_code'],
  [
    'a cpm for which no impressions are published',
    () => line({}, { advertiser_class: 'bare', cpm: 20, locked_rate_id: market.price('prime', '2030-W23', 'bare') }),
    'line_items.0.rate.cpm',
  ],
  [
    'a month of which only one week is priced',
    () =>
      line(
        { period: { grain: 'month', start: '2030-06' } },
        { advertiser_class: 'charity', cpm: 0.67, locked_rate_id: market.price('prime', '2030-W23', 'charity') },
      ),
    'line_items.0.rate.locked_rate_id',
    cites(() => market.price('prime', '2030-W23', 'charity')),
  ],
]

const refuses = async (...[, body, field, also]: Case) => {
  const sent = body()
  const reply = await market.acme.post('/orders', sent)
  expect(reply.status).toBe(422)
  const { error_code, error_message, details } = reply.body
  expect({ error_code, field: details.field }).toEqual({ error_code: also?.error_code ?? 'INVALID_INPUT', field })
  expect(details).toMatchObject(also?.details ?? {})
  const pointer = `/${field.replaceAll('.', '/')}`
  expect(details.errors[0]).toMatchObject({ pointer, field, error_code, message: error_message })
  expect(details).not.toHaveProperty('permitted_grains')
  const external = sent.external_order_id
  expect((await market.deps.db.pool.query('select from orders where external_order_id = $1', [external])).rowCount).toBe(0)
}

describe('POST /orders: 422 for the head', () => {
  it.each(HEAD)('refuses %s', refuses)
})

describe('POST /orders: 422 for the flight', () => {
  it('takes lines that just fit', async () => {
    for (const [grain, start, flight] of [
      ['day', '2030-06-05', { start: '2030-06-05', end: '2030-06-05' }],
      ['week', '2030-W23', { start: '2030-06-03', end: '2030-06-07' }],
      ['month', '2030-06', { start: '2030-05-27', end: '2030-06-28' }],
    ] as const) {
      expect((await market.acme.post('/orders', flown(grain, start, flight))).status).toBe(201)
    }
  })

  it('names the line that does not fit', async () => {
    const line_items = ['2030-06-05', '2030-06-07'].map((start) => market.line({ period: { grain: 'day', start } }))
    const { body } = await market.acme.post('/orders', order({ flight: { start: '2030-06-03', end: '2030-06-06' }, line_items }))
    expect(body.details).toMatchObject({ field: 'flight', line: 1, date: '2030-06-07' })
  })
})

describe('POST /orders: 422 for a line', () => {
  it.each(LINES)('refuses %s', refuses)

  it('answers a product that the buyer may not see exactly like an unknown one', async () => {
    const hidden = (await market.acme.post('/orders', other('hidden'))).body
    const unknown = (await market.acme.post('/orders', line({ product_id: 'nothing' }))).body
    expect(JSON.stringify(hidden).replaceAll('hidden', 'nothing')).toBe(JSON.stringify(unknown))
  })

  it('takes 500 lines and refuses 501', async () => {
    const lines = (count: number) => order({ line_items: Array.from({ length: count }, () => market.line()) })
    expect((await market.acme.post('/orders', lines(500))).status).toBe(201)
    await refuses('', () => lines(501), 'line_items')
  })
})

describe('POST /orders: 422 for a rate', () => {
  it.each(RATES)('refuses %s', refuses)
})
