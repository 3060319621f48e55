import { beforeAll, describe, expect, it } from '@jest/globals'
import { everyPage } from '../../support/http/everyPage.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { until } from '../../support/until.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
beforeAll(async () => {
  await send('catalog', aCatalog(aProduct('spots'), aProduct('guaranteed', { buy_types: ['audience_guaranteed'] }))).expect(200)
})

const send = sellerPut(app)
const put = (...avails: unknown[]) => send('avails', { avails })
const read = (query: string, token = app.tokens.buyers.acme) =>
  app.request.get(`/v1/sellers/cable/avails?${query}`).auth(token, { type: 'bearer' })
const week = (start: string) => ({ grain: 'week', start })
const starts = (body: { avails: { period: { start: string } }[] }) => body.avails.map(({ period }) => period.start)

describe('PUT /me/avails: 200', () => {
  it('takes the one count that fits the denomination, and otherwise names it', async () => {
    const units = { spots: undefined, units: { available: 3 } }
    const impressions = { source: 'NLS', stream: 'C3', 'A18-49': { per_spot: 41000 } }
    const reply = await put(
      anAvail('spots', { impressions, sellout_level: 0.4, basis: 'measured' }),
      anAvail('guaranteed', units),
      anAvail('spots', units),
      anAvail('guaranteed'),
      anAvail('spots', { units: { available: 1 } }),
      anAvail('spots', { spots: undefined }),
      anAvail('guaranteed', { ...units, period: week('2026-W51'), impressions }),
      anAvail('nowhere'),
      anAvail('spots', { period: week('2025-W53') }),
      anAvail('spots'),
      anAvail('spots', { period: { grain: 'day', start: '2026-W50' } }),
      anAvail('spots', { impressions: { source: 's', stream: 't', spots: { per_spot: 1 } } }),
      anAvail('spots', { impressions: { source: 's', stream: 't', HH: { per_spot: '41' } } }),
      anAvail('spots', { impressions: { source: 's', HH: { per_spot: 41 } } }),
      anAvail('spots', { sellout_level: 1.5 }),
      anAvail('spots', { state: 'sold_out' }),
      anAvail('spots', { basis: 'guessed' }),
    )
    expect(reply.body).toMatchObject({ accepted: 2, rejected: 15 })
    expect(reply.body.errors).toEqual([
      expect.objectContaining({ index: 2, error_code: 'INVALID_ENTRY', field: 'spots.available' }),
      expect.objectContaining({ index: 3, error_code: 'INVALID_ENTRY', field: 'units.available' }),
      expect.objectContaining({ index: 4, error_code: 'INVALID_ENTRY', field: 'spots.available' }),
      expect.objectContaining({ index: 5, error_code: 'INVALID_ENTRY', field: 'spots.available' }),
      expect.objectContaining({ index: 6, error_code: 'INVALID_ENTRY', field: 'impressions' }),
      expect.objectContaining({ index: 7, error_code: 'UNKNOWN_PRODUCT_ID', field: 'product_id', value: 'nowhere' }),
      expect.objectContaining({ index: 8, error_code: 'INVALID_ENTRY', field: 'period.start', value: '2025-W53' }),
      expect.objectContaining({ index: 9, error_code: 'INVALID_ENTRY', field: 'period.start' }),
      expect.objectContaining({ index: 10, error_code: 'INVALID_ENTRY', field: 'period.start' }),
      ...['impressions.spots', 'impressions.HH.per_spot', 'impressions.stream', 'sellout_level', 'state', 'basis'].map((field, at) =>
        expect.objectContaining({ index: 11 + at, error_code: 'INVALID_ENTRY', field }),
      ),
    ])
    const { body } = await read('product_id=spots')
    expect(body).toEqual({
      avails: [
        {
          product_id: 'spots',
          period: week('2026-W50'),
          state: 'available',
          basis: 'measured',
          sellout_level: 0.4,
          spots: { available: 12 },
          impressions,
          rates: [],
        },
      ],
    })
  })

  it('merges by product and period', async () => {
    await put(anAvail('spots', { period: week('2027-W01') }), anAvail('spots', { period: week('2027-W02') })).expect(200)
    await put(anAvail('spots', { period: week('2027-W02'), state: 'unavailable', spots: { available: 0 } })).expect(200)
    const { body } = await read('product_id=spots&weeks=2027-W01..2027-W02')
    expect(body.avails.map((a: { state: string }) => a.state)).toEqual(['available', 'unavailable'])
  })

  it('takes 20,000 entries in one body', async () => {
    const products = Array.from({ length: 400 }, (_, i) => aProduct(`bulk-${i}`))
    await send('catalog', aCatalog(...products), app.tokens.sellers.station).expect(200)
    const avails = products.flatMap(({ product_id }) =>
      Array.from({ length: 50 }, (_, i) => anAvail(product_id, { period: week(`2027-W${String(i + 1).padStart(2, '0')}`) })),
    )
    const reply = await send('avails', { avails }, app.tokens.sellers.station)
    expect(reply.body).toMatchObject({ accepted: 20_000, rejected: 0 })
  })
})

describe('PUT /me/avails: 422', () => {
  it.each([{ avails: [] }, {}, { avails: 'x' }])('refuses a body that is not the envelope: %j', (body) => send('avails', body).expect(422))
})

describe('GET /sellers/{seller}/avails: 200', () => {
  beforeAll(async () => {
    const catalog = aCatalog(
      aProduct('rated', { grains: ['day', 'week', 'month'] }),
      aProduct('quote', { disclosure: { pricing_policy: 'quote' } }),
      aProduct('asked', { disclosure: { avails_policy: 'on_request' } }),
      aProduct('withheld', { disclosure: { avails_policy: 'withheld' } }),
      aProduct('hidden', { visibility: 'by_agreement' }),
    )
    await send('catalog', catalog).expect(200)
    const ids = ['rated', 'quote', 'asked', 'withheld', 'hidden']
    const entries = [
      ...ids.map((id) => aRate(id)),
      aRate('rated', { spot_length: 15, gross_rate_unit: 700 }),
      aRate('rated', { market_class: 'discounted', week: '2026-W50', gross_rate_unit: 300, window: { closes: '2096-12-01T00:00:00Z' } }),
    ]
    await send('rate-cards', aCard('card', entries)).expect(200)
    await put(
      ...ids.map((id) => anAvail(id, { impressions: { source: 's', stream: 't' }, sellout_level: 0.5, basis: 'modelled' })),
      anAvail('rated', { period: { grain: 'day', start: '2026-12-09' } }),
      anAvail('rated', { period: { grain: 'month', start: '2026-12' } }),
    ).expect(200)
  })

  it('joins the current rates of each period, and shows priced weeks without a published avail', async () => {
    const { body } = await read('product_id=rated')
    expect(body.avails.map((a: { period: object; rates: object[]; state?: string }) => [a.period, a.rates.length, a.state])).toEqual([
      [{ grain: 'day', start: '2026-12-09' }, 3, 'available'],
      [week('2026-W50'), 3, 'available'],
      [week('2026-W51'), 2, undefined],
      [week('2026-W52'), 2, undefined],
      [{ grain: 'month', start: '2026-12' }, 0, 'available'],
    ])
  })

  it('shows for a month the rates that all of its weeks have', async () => {
    const effective = { start: '2026-12-01', end: '2026-12-31' }
    await send('rate-cards', aCard('december', [aRate('rated', { clearance_tier: 'P2' })], { effective })).expect(200)
    const { body } = await read('product_id=rated&weeks=2026-W51')
    const month = body.avails.find((a: { period: { grain: string } }) => a.period.grain === 'month')
    expect(month.rates).toEqual([expect.objectContaining({ clearance_tier: 'P2' })])
  })

  it.each([
    ['weeks=2026-W51', ['2026-W51', '2026-12']],
    ['weeks=2026-W50,2026-W52', ['2026-12-09', '2026-W50', '2026-W52', '2026-12']],
    ['weeks=2026-W51..2026-W52', ['2026-W51', '2026-W52', '2026-12']],
    ['weeks=2026-W40', []],
    ['market_class=discounted', ['2026-12-09', '2026-W50']],
    ['rate_class=remnant', ['2026-12-09', '2026-W50']],
    ['rate_class=opportunistic&market_class=discounted', ['2026-12-09', '2026-W50']],
    ['spot_length=15', ['2026-12-09', '2026-W50', '2026-W51', '2026-W52']],
    ['spot_length=60', []],
  ])('filters by %s', async (query, expected) => {
    expect(starts((await read(`product_id=rated&${query}`)).body)).toEqual(expected)
  })

  it('shows no published rate of a product that is priced by quote', async () => {
    const { body } = await read('product_id=quote')
    expect(body.avails).toEqual([expect.objectContaining({ period: week('2026-W50'), spots: { available: 12 }, rates: [] })])
  })

  it.each([
    ['asked', 'on_request'],
    ['withheld', 'withheld'],
  ])('shows %s avails without state and counts, with the policy', async (product_id, avails_policy) => {
    const { body } = await read(`product_id=${product_id}&weeks=2026-W50..2026-W51`)
    expect(body.avails).toEqual([
      { product_id, period: week('2026-W50'), avails_policy, rates: [expect.anything()] },
      { product_id, period: week('2026-W51'), avails_policy, rates: [expect.anything()] },
    ])
  })

  it('shows nothing of a product by agreement', async () => {
    expect((await read('product_id=hidden')).body).toEqual({ avails: [] })
    expect((await read('')).text).not.toContain('hidden')
  })

  it('shows a quote only to the buyer it was made for', async () => {
    const { pool } = app.deps.db
    await pool.query(`
      with c as (insert into rate_commits (seller, commit, effective, body_sha256, reply, visible_to, order_id)
        values ('cable', 'quote-1', '[2026-12-07,2026-12-13]', '', '', 'zenith', 'ord_1') returning commit_no)
      insert into rate_entries (locked_rate_id, seller, commit, commit_no, visible_to, product_id, week, market_class, advertiser_class,
        spot_length, buy_type, gross_rate_unit, currency)
      select 'lr_quote', 'cable', 'quote-1', commit_no, 'zenith', 'quote', '2026-W50', 'scatter', 'general', 30, 'preemptible', 5, 'USD' from c`)
    expect((await read('product_id=quote', app.tokens.buyers.zenith)).text).toContain('lr_quote')
    expect((await read('product_id=quote')).text).not.toContain('lr_quote')
    const catalog = await app.request.get('/v1/sellers/cable/catalog').auth(app.tokens.buyers.acme, { type: 'bearer' })
    expect(catalog.body.rate_version).toBe('december')
  })
})

describe('GET /sellers/{seller}/avails: 404', () => {
  it('answers for an unknown seller', () =>
    app.request.get('/v1/sellers/nobody/avails').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(404))
  it('answers for an agreement of another buyer', () => read('agreement=agr_x').expect(404))
})

describe('GET /sellers/{seller}/avails: 422', () => {
  it.each([
    ['weeks', 'weeks=2026-50'],
    ['weeks', 'weeks=2025-W53'],
    ['weeks', 'weeks=2026-W52..2026-W50'],
    ['weeks', 'weeks=2026-W50..2026-W51..2026-W52'],
    ['spot_length', 'spot_length=-1'],
    ['market_class', 'market_class=remnant'],
    ['rate_class', 'rate_class=gold'],
    ['rate_class', 'rate_class=remnant&market_class=scatter'],
    ['limit', 'limit=0'],
  ])('refuses a bad %s: ?%s', async (field, query) => {
    const reply = await read(query)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })

  it('refuses a cursor of another read', async () => {
    const { next_cursor } = (await read('limit=1').expect(200)).body
    expect(next_cursor).toEqual(expect.any(String))
    const { body } = await read(`limit=1&weeks=2026-W50&cursor=${next_cursor}`).expect(422)
    expect(body.details.field).toBe('cursor')
  })
})

describe('GET /sellers/{seller}/avails: 200, without what can no longer be ordered', () => {
  it('shows no rate whose window has closed, and none outside the effective dates', async () => {
    const product = aProduct('bounded', { effective: { start: '2033-01-01', end: '2033-01-09' } })
    await send('catalog', aCatalog(product, aProduct('windowed'))).expect(200)
    const weeks = (product_id: string, starts: string[], more: object = {}) =>
      starts.map((start) => aRate(product_id, { week: start, ...more }))
    const window = { closes: '2020-01-01T00:00:00Z' }
    const entries = [
      ...weeks('bounded', ['2032-W52', '2032-W53', '2033-W01', '2033-W02']),
      ...weeks('windowed', ['2033-W01'], { window }),
      ...weeks('windowed', ['2033-W02']),
    ]
    await send('rate-cards', aCard('c-over', entries, { effective: { start: '2032-12-20', end: '2033-01-16' } })).expect(200)
    await put(...['2032-W52', '2032-W53'].map((start) => anAvail('bounded', { period: week(start) }))).expect(200)
    const shown = async (product_id: string) =>
      (await read(`product_id=${product_id}`)).body.avails.map((entry: { period: { start: string }; rates: unknown[] }) => [
        entry.period.start,
        entry.rates.length,
      ])
    expect(await shown('bounded')).toEqual([
      ['2032-W52', 0],
      ['2032-W53', 1],
      ['2033-W01', 1],
    ])
    expect(await shown('windowed')).toEqual([['2033-W02', 1]])
  })
})

describe('GET /sellers/{seller}/avails: 200, page by page', () => {
  it.each([1, 2, 3, 5_000])('shows by %i what the whole read shows, in its order, and no next_cursor without limit', async (limit) => {
    const whole = (await read('').expect(200)).body
    expect(Object.keys(whole)).toEqual(['avails'])
    const pages = await everyPage(
      async (cursor) => (await read(`limit=${limit}${cursor}`)).body as { avails: object[]; next_cursor: string | null },
    )
    for (const { avails } of pages) expect(avails.length).toBeLessThanOrEqual(limit)
    expect(pages.flatMap(({ avails }) => avails)).toEqual(whole.avails)
  })

  it('continues after a product that was withdrawn in the meantime', async () => {
    const whole = (await read('').expect(200)).body.avails
    const { body } = await read('limit=1')
    const [{ product_id }] = whole
    const own = (await app.request.get('/v1/me/catalog').auth(app.tokens.sellers.cable, { type: 'bearer' })).body.products
    const { unpriced: _, ...product } = own.find((one: { product_id: string }) => one.product_id === product_id)
    await send('catalog', aCatalog({ ...product, status: 'withdrawn' })).expect(200)
    const rest = (await read(`limit=5000&cursor=${body.next_cursor}`)).body.avails
    expect(rest).toEqual(whole.filter((entry: { product_id: string }) => entry.product_id !== product_id))
    await send('catalog', aCatalog(product)).expect(200)
  })
})

describe('GET /sellers/{seller}/avails: 429', () => {
  it('is the answer to a buyer with 32 waiting reads, which are answered', async () => {
    const holder = app.owner()
    await holder.query('begin; lock table avails') // no read can end
    const statuses: number[] = []
    const replies = Array.from({ length: 40 }, async () => statuses.push((await read('')).status))
    try {
      await until(() => statuses.length === 7)
    } finally {
      await holder.query('rollback')
    }
    await Promise.all(replies)
    expect(statuses).toEqual([...Array(7).fill(429), ...Array(33).fill(200)])
  })
})

describe('GET /me/avails: 200', () => {
  const own = (query: string) => app.request.get(`/v1/me/avails?${query}`).auth(app.tokens.sellers.cable, { type: 'bearer' })

  it('reads the avails of one product, page by page', async () => {
    const first = (await own('product_id=bounded&limit=1').expect(200)).body
    expect(starts(first)).toEqual(['2032-W52'])
    const second = (await own(`product_id=bounded&limit=1&cursor=${first.next_cursor}`).expect(200)).body
    expect([starts(second), second.next_cursor]).toEqual([['2032-W53'], null])
    await own(`product_id=spots&limit=1&cursor=${first.next_cursor}`).expect(422)
    expect((await own('product_id=nowhere').expect(200)).body.avails).toEqual([])
  })

  it('pages through all avails of the seller, withheld and hidden ones included', async () => {
    const [all, first] = [(await own('')).body, (await own('limit=3')).body]
    expect(all.next_cursor).toBeNull()
    const rest = (await own(`limit=5000&cursor=${first.next_cursor}`)).body
    expect([...first.avails, ...rest.avails]).toEqual(all.avails)
    expect(all.avails.map((a: { product_id: string }) => a.product_id)).toEqual(expect.arrayContaining(['hidden', 'withheld']))
  })
})
