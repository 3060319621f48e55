import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type More = Record<string, unknown>
/** What is wrong, how the body is made, what `details.field` names, and what else the reply says. */
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
const wide = { start: '2030-05-01', end: '2030-07-31' }
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
  ['no rate_version', () => without('rate_version'), 'rate_version', missing('rate_version')],
  ['no buyer_metadata', () => without('buyer_metadata'), 'buyer_metadata', missing('buyer_metadata')],
  ['no advertiser', () => order({ buyer_metadata: {} }), 'buyer_metadata.advertiser_id', missing('buyer_metadata.advertiser_id')],
  ['an empty advertiser', () => metadata({ advertiser_id: '' }), 'buyer_metadata.advertiser_id', missing('buyer_metadata.advertiser_id')],
  ['an advertiser that is no string', () => metadata({ advertiser_id: 7 }), 'buyer_metadata.advertiser_id'],
  ['a key that buyer_metadata does not know', () => metadata({ advertiser_class: 'general' }), 'buyer_metadata.advertiser_class'],
  ['a contact that is no object', () => metadata({ buyer_contact: 'Ann' }), 'buyer_metadata.buyer_contact'],
  ['a contact name that is no string', () => metadata({ buyer_contact: { name: 1 } }), 'buyer_metadata.buyer_contact.name'],
  ['none of the three inputs', () => without('line_items'), 'line_items'],
  ['two of the three inputs', () => order({ request: { request_type: 'open' } }), 'request'],
  [
    'three inputs',
    () => order({ request: { request_type: 'open', brief: 'Any' }, document: { upload_id: 'u', format: 'pdf' } }),
    'request',
  ],
  ['no line at all', () => order({ line_items: [] }), 'line_items'],
  ['an unknown seller', () => order({ seller: 'nobody' }), 'seller'],
  ['a buyer for a seller', () => order({ seller: 'zenith' }), 'seller'],
  ['an unknown commit', () => order({ rate_version: 'july' }), 'rate_version'],
  ["another seller's commit", () => order({ rate_version: 'june-local' }), 'rate_version'],
  [
    'a proposal to a seller who takes none',
    () => ({ ...without('line_items'), request: { request_type: 'open', brief: 'Any' } }),
    'workflow',
  ],
  ['a document to a seller who takes none', () => ({ ...without('line_items'), document: { upload_id: 'u', format: 'pdf' } }), 'workflow'],
  [
    'attachments beside no lines',
    () => ({ ...without('line_items'), request: { request_type: 'open', brief: 'Any' }, attachments: [attachment] }),
    'attachments',
  ],
  ['an attachment that is no upload', () => order({ attachments: [attachment] }), 'attachments.0.upload_id'],
  ['an attachment without its hash', () => order({ attachments: [{ sha256: 'no', ...unhashed }] }), 'attachments.0.sha256'],
  ['an unregistered notify_url', () => order({ notify_url: 'https://hooks.example.com/x' }), 'notify_url'],
  ['an agreement with nobody', () => order({ agreement_id: 'agr_x' }), 'agreement_id', { details: { agreement_id: 'agr_x' } }],
  ['a settlement_mode that is not the resolved one', () => order({ settlement_mode: 'cleared' }), 'settlement_mode'],
  ['a settlement_mode that there is not', () => order({ settlement_mode: 'barter' }), 'settlement_mode'],
  ['a revision of nothing', () => order({ revision: { supersedes: 'ord_x' } }), 'revision.supersedes'],
  ['a separation within a break', () => order({ buyer_requests: { scope: 'break' } }), 'buyer_requests.scope'],
  ['a negative separation', () => order({ buyer_requests: { min_separation_seconds: -1 } }), 'buyer_requests.min_separation_seconds'],
  ['an issued_at without a zone', () => order({ issued_at: '2030-01-01T00:00:00' }), 'issued_at'],
  ['a retired term', () => order({ packages: [] }), 'packages'],
  ['a flight that ends before it starts', () => order({ flight: { start: '2030-06-09', end: '2030-06-03' } }), 'flight.end'],
  ['a flight on a date that does not exist', () => order({ flight: { start: '2030-02-30', end: '2030-06-30' } }), 'flight.start'],
]

const FLIGHTS: Case[] = [
  [
    'a day outside',
    () => flown('day', '2030-06-05', { ...wide, end: '2030-06-04' }),
    'flight',
    { details: { line: 0, date: '2030-06-05' } },
  ],
  [
    'the Monday of a week outside',
    () => flown('week', '2030-W23', { ...wide, start: '2030-06-04' }),
    'flight',
    { details: { line: 0, date: '2030-06-03' } },
  ],
  [
    'the Friday of a week outside',
    () => flown('week', '2030-W23', { ...wide, end: '2030-06-06' }),
    'flight',
    { details: { line: 0, date: '2030-06-07' } },
  ],
  [
    'the first Monday that a month touches outside',
    () => flown('month', '2030-06', { ...wide, start: '2030-06-01' }),
    'flight',
    { details: { line: 0, date: '2030-05-27' } },
  ],
]

const LINES: Case[] = [
  ['no product', () => line({ product_id: undefined }), 'line_items.0.product_id', missing('line_items.0.product_id')],
  ['an unknown product', () => line({ product_id: 'nothing' }), 'line_items.0.product_id'],
  ["another seller's product", () => line({ product_id: 'news' }), 'line_items.0.product_id'],
  ['a product out of sight', () => other('hidden'), 'line_items.0.product_id'],
  ['no units', () => line({ units: undefined }), 'line_items.0.units', missing('line_items.0.units')],
  ['zero units', () => line({ units: 0 }), 'line_items.0.units'],
  ['half a unit', () => line({ units: 1.5 }), 'line_items.0.units'],
  ['units in a string', () => line({ units: '10' }), 'line_items.0.units'],
  ['an impressions_goal', () => line({ impressions_goal: 1000 }), 'line_items.0.impressions_goal'],
  ['a retired term', () => line({ package_id: 'p' }), 'line_items.0.package_id'],
  ['a grain that there is not', () => period('quarter', '2030-Q2'), 'line_items.0.period.grain'],
  ['a week as a date', () => period('week', '2030-06-03'), 'line_items.0.period.start'],
  ['a week that the year does not have', () => period('week', '2030-W53'), 'line_items.0.period.start'],
  ['a day that the month does not have', () => period('day', '2030-06-31'), 'line_items.0.period.start'],
  [
    'a grain that is not sold',
    () => other('weekend', { period: { grain: 'day', start: '2030-06-08' } }),
    'line_items.0.period.grain',
    { error_code: 'GRAIN_NOT_OFFERED', details: {} },
  ],
  ['a date on which the product is not sold', () => other('spring'), 'line_items.0.period'],
  ['a week in which the program does not air', () => period('week', '2030-W24', finale('2030-W24')), 'line_items.0.period'],
  ['a mirror that there is not', () => other('weekend', { include_mirror: true }), 'line_items.0.include_mirror'],
  ['an unknown creative', () => line({ creative_id: 'cr_x' }), 'line_items.0.creative_id', { error_code: 'UNKNOWN_CREATIVE' }],
  ['a do_not_air that is no date', () => line({ do_not_air: ['monday'] }), 'line_items.0.do_not_air.0'],
  ['another spot length than the price', () => line({ spot_length: 15 }), 'line_items.0.spot_length', prime],
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
  ['both costs', () => line({}, { unit_cost: 1250.5, cpm: 20 }), 'line_items.0.rate.unit_cost'],
  ['neither cost', () => line({}, { unit_cost: undefined }), 'line_items.0.rate.unit_cost'],
  ['a price per second', () => line({}, { rate_basis: 'per_second' }), 'line_items.0.rate.rate_basis'],
  ['a cent more', () => line({}, { unit_cost: 1250.51 }), 'line_items.0.rate.unit_cost', prime],
  ['a price of its own', () => line({}, { locked_rate_id: 'lr_mine' }), 'line_items.0.rate.locked_rate_id'],
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
  ['a currency that is none', () => line({}, { currency: 'dollars' }), 'line_items.0.rate.currency'],
  ['a tier that the price has not', () => line({}, { clearance_tier: 'P2' }), 'line_items.0.rate.clearance_tier', prime],
  [
    'an expiry of what is no quote',
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
        { advertiser_class: 'charity', unit_cost: 0.335, locked_rate_id: market.price('prime', '2030-W23', 'charity') },
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
  it.each(FLIGHTS)('refuses %s', refuses)

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

  it('reads a product out of sight exactly as an unknown one', async () => {
    const sight = (await market.acme.post('/orders', other('hidden'))).body
    const unknown = (await market.acme.post('/orders', line({ product_id: 'nothing' }))).body
    expect(JSON.stringify(sight).replaceAll('hidden', 'nothing')).toBe(JSON.stringify(unknown))
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

describe('POST /orders: 422 for several things', () => {
  const pointersOf = async (body: unknown) => {
    const reply = await market.acme.post('/orders', body)
    expect(reply.status).toBe(422)
    const errors: { pointer: string }[] = reply.body.details.errors
    return { pointers: errors.map(({ pointer }) => pointer), ...reply.body, details: reply.body.details }
  }

  it('names every missing member of an empty body', async () => {
    const { pointers, details } = await pointersOf({})
    expect(pointers).toEqual(expect.arrayContaining(['/seller', '/external_order_id', '/rate_version', '/buyer_metadata']))
    expect(details.missing).toEqual(['seller', 'external_order_id', 'rate_version', 'buyer_metadata'])
  })

  it('lists faults of shape in the order of the body, first one first', async () => {
    const { pointers, details, error_code } = await pointersOf({
      line_items: [market.line({ units: 0 }), market.line({ spot_length: 'long' }, { unit_cost: undefined })],
      buyer_metadata: { budget: 1, advertiser_id: '' },
      seller: 'cable',
      external_order_id: 7,
      rate_version: 'june',
    })
    expect(pointers).toEqual([
      '/line_items/0/units',
      '/line_items/1/spot_length',
      '/line_items/1/rate/unit_cost',
      '/buyer_metadata/budget',
      '/buyer_metadata/advertiser_id',
      '/external_order_id',
    ])
    expect({ error_code, field: details.field }).toEqual({ error_code: 'INVALID_INPUT', field: 'line_items.0.units' })
    expect(details.missing).toEqual(['buyer_metadata.advertiser_id'])
  })

  it('lists faults of rule in the order of the body, whose first one gives code and details', async () => {
    const { external_order_id } = order()
    const { pointers, details, error_code } = await pointersOf({
      line_items: [
        market.line({ period: { grain: 'day', start: '2030-06-07' }, creative_id: 'cr_x' }, { unit_cost: 1 }),
        market.line({ product_id: 'weekend', period: { grain: 'month', start: '2030-06' } }),
        market.line({ product_id: 'nothing' }),
      ],
      flight: { start: '2030-06-01', end: '2030-06-06' },
      external_order_id,
      seller: 'cable',
      agreement_id: 'agr_x',
      rate_version: 'july',
      buyer_metadata: { advertiser_id: 'a' },
    })
    expect(pointers).toEqual([
      '/line_items/0/creative_id',
      '/line_items/0/rate/unit_cost',
      '/line_items/1/period/grain',
      '/line_items/1/rate/locked_rate_id',
      '/line_items/2/product_id',
      '/flight',
      '/flight',
      '/flight',
      '/agreement_id',
      '/rate_version',
    ])
    expect({ error_code, field: details.field }).toEqual({ error_code: 'UNKNOWN_CREATIVE', field: 'line_items.0.creative_id' })
  })

  it('lists faults of the schema and of the rules together, for each line that can be read', async () => {
    const { pointers, details } = await pointersOf({
      seller: 'cable',
      external_order_id: '',
      rate_version: 'july',
      buyer_metadata: { advertiser_id: 'a' },
      flight: { start: '2030-06-01', end: '2030-06-07' },
      line_items: [
        market.line({ units: 0 }, { unit_cost: 1 }),
        7,
        market.line({ product_id: 'nothing', spot_length: 'long', creative_id: 'cr_x' }),
        market.line({ period: { grain: 'week', start: '2030-W25' } }, { currency: 'dollars', locked_rate_id: 'lr_mine' }),
        market.line({ period: { grain: 'week', start: '2030-W60' } }, { market_class: 'discounted', unit_cost: 'free' }),
      ],
      agreement_id: 'agr_x',
      document: { upload_id: 'upl_x' },
      notify_url: 'https://hooks.example.com/x',
    })
    expect(pointers).toEqual([
      '/external_order_id',
      '/rate_version',
      '/flight',
      '/line_items/0/units',
      '/line_items/0/rate/unit_cost',
      '/line_items/1',
      '/line_items/2/product_id',
      '/line_items/2/spot_length',
      '/line_items/2/creative_id',
      '/line_items/3/rate/locked_rate_id',
      '/line_items/3/rate/currency',
      '/line_items/4/period/start',
      '/line_items/4/rate/market_class',
      '/line_items/4/rate/unit_cost',
      '/agreement_id',
      '/document',
      '/document/format',
      '/notify_url',
      '/workflow',
    ])
    expect(details.missing).toEqual(['external_order_id', 'document.format'])
  })

  it('reports a cpm line without impressions together with its other faults', async () => {
    const bare = { advertiser_class: 'bare', cpm: 20, locked_rate_id: market.price('prime', '2030-W23', 'bare') }
    const { pointers } = await pointersOf(line({ creative_id: 'cr_x' }, bare))
    expect(pointers).toEqual(['/line_items/0/creative_id', '/line_items/0/rate/cpm'])
  })

  it('tells a thousand of them, however many there are', async () => {
    const times = <T>(count: number, entry: T): T[] => Array<T>(count).fill(entry)
    for (const [body, pointer] of [
      [order({ attachments: times(40_000, {}) }), '/attachments'],
      [line({ do_not_air: times(90_000, 0) }), '/line_items/0/do_not_air'],
      [
        line({ traffic_instructions: { rotation: 'equal', creative_splits: times(45_000, {}) } }),
        '/line_items/0/traffic_instructions/creative_splits',
      ],
      [line({ rc_impressions: Object.fromEntries(times(40_000, 0).map((_, n) => [n, ''])) }), '/line_items/0/rc_impressions'],
      [
        { ...without('line_items'), request: { request_type: 'open', brief: 'Any', anchor_package_ids: times(90_000, 0) } },
        '/request/anchor_package_ids',
      ],
      [metadata(Object.fromEntries(times(40_000, 0).map((_, n) => [`k${n}`, 0]))), '/buyer_metadata/k0'],
      [order({ line_items: times(500, { do_not_air: times(90, 0) }) }), '/line_items/0/do_not_air/0'],
      [
        order({
          line_items: times(500, market.line({ product_id: 'none', period: { grain: 'week', start: '2030-W60' }, creative_id: 'cr_x' })),
        }),
        '/line_items/0/product_id',
      ],
    ] as const) {
      const { pointers } = await pointersOf(body)
      expect(pointers).toContain(pointer)
      expect(pointers.length).toBeLessThanOrEqual(1_000)
    }
  }, 30_000)

  it('refuses two currencies in one order', async () => {
    const euro = market.line(
      {},
      { advertiser_class: 'export', currency: 'EUR', locked_rate_id: market.price('prime', '2030-W23', 'export') },
    )
    expect((await pointersOf(order({ line_items: [market.line(), euro] }))).pointers).toEqual(['/line_items/1/rate/currency'])
    expect((await market.acme.post('/orders', order({ line_items: [euro] }))).status).toBe(201)
  })
})
