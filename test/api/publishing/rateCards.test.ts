import { beforeAll, describe, expect, it } from '@jest/globals'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
beforeAll(async () => {
  const products = ['p1', 'p2', 'p3', 'p4'].map((id) => aProduct(id))
  await app.request
    .put('/v1/me/catalog')
    .auth(app.tokens.sellers.cable, { type: 'bearer' })
    .send(aCatalog(...products))
    .expect(200)
})

const put = (body: object | string, token = app.tokens.sellers.cable) => sellerPut(app)('rate-cards', body, token)
const commit = (name: string, query = '') =>
  app.request.get(`/v1/me/rate-cards/${name}${query}`).auth(app.tokens.sellers.cable, { type: 'bearer' })
const avails = (query: string) => app.request.get(`/v1/sellers/cable/avails?${query}`).auth(app.tokens.buyers.acme, { type: 'bearer' })

describe('PUT /me/rate-cards: 200', () => {
  it('makes one price per ISO week from an entry without a week, prefers an entry with a week, and gives each its own locked_rate_id', async () => {
    const reply = await put(aCard('c-span', [aRate('p1'), aRate('p1', { week: '2026-W51', gross_rate_unit: 900 })]))
    expect(reply.body).toEqual({ commit: 'c-span', result: 'success', accepted: 2, rejected: 0, errors: [], warnings: expect.any(Array) })
    const { body } = await commit('c-span').expect(200)
    expect(body).toMatchObject({ commit: 'c-span', effective: { start: '2026-12-07', end: '2026-12-27' }, next_cursor: null })
    const prices = Object.fromEntries(body.entries.map((e: { week: string; gross_rate_unit: number }) => [e.week, e.gross_rate_unit]))
    expect(prices).toEqual({ '2026-W50': 1250.5, '2026-W51': 900, '2026-W52': 1250.5 })
    expect(new Set(body.entries.map((e: { locked_rate_id: string }) => e.locked_rate_id)).size).toBe(3)
    expect(body.entries[0]).toMatchObject({ locked_rate_id: expect.stringMatching(/^lr_/), rate_basis: 'per_unit', currency: 'USD' })
  })

  it('accepts what passes and names what does not', async () => {
    const reply = await put(
      aCard('c-part', [
        aRate('p2'),
        aRate('nowhere'),
        aRate('p2', { week: '2027-W01' }),
        aRate('p2', { week: '2025-W53' }),
        aRate('p2', { buy_type: 'per_second' }),
        aRate('p2'),
        aRate('p2', { package: 'x' }),
        aRate('p2', { spot_length: 15, window: { opens: '2026-12-02T00:00:00Z', closes: '2026-12-01T00:00:00Z' } }),
        aRate('p2', { spot_length: 15, rate_basis: 'per_second' }),
        aRate('p2', { spot_length: 15, audience_code: 'spots' }),
      ]),
    )
    expect(reply.body).toMatchObject({ accepted: 1, rejected: 9 })
    expect(reply.body.errors).toEqual([
      expect.objectContaining({ index: 1, error_code: 'UNKNOWN_PRODUCT_ID', field: 'product_id', value: 'nowhere' }),
      expect.objectContaining({ index: 2, error_code: 'INVALID_ENTRY', field: 'week', value: '2027-W01' }),
      expect.objectContaining({ index: 3, error_code: 'INVALID_ENTRY', field: 'week', value: '2025-W53' }),
      expect.objectContaining({ index: 4, error_code: 'INVALID_ENTRY', field: 'buy_type', value: 'per_second' }),
      expect.objectContaining({ index: 5, error_code: 'INVALID_ENTRY' }),
      expect.objectContaining({ index: 6, error_code: 'INVALID_ENTRY', field: 'package' }),
      expect.objectContaining({ index: 7, error_code: 'INVALID_ENTRY', field: 'window.closes' }),
      expect.objectContaining({ index: 8, error_code: 'INVALID_ENTRY', field: 'rate_basis', value: 'per_second' }),
      expect.objectContaining({ index: 9, error_code: 'INVALID_ENTRY', field: 'audience_code', value: 'spots' }),
    ])
  })

  it('replays a commit that is sent again with the same bytes', async () => {
    const bytes = JSON.stringify(aCard('c-replay', [aRate('p2'), aRate('nowhere')]))
    const first = await put(bytes)
    const ids = (await commit('c-replay')).text
    const second = await put(bytes)
    expect(second.text).toBe(first.text)
    expect(second.headers['x-idempotent-replay']).toBe('true')
    expect(first.headers['x-idempotent-replay']).toBeUndefined()
    expect((await commit('c-replay')).text).toBe(ids)
  })

  it('publishes once when the same bytes come many times at once', async () => {
    const bytes = JSON.stringify(aCard('c-race', [aRate('p2')]))
    const replies = await Promise.all(Array.from({ length: 6 }, () => put(bytes)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect((await commit('c-race')).body.entries).toHaveLength(3)
  })

  it('keeps no commit without an accepted entry: its name stays free', async () => {
    await put(aCard('c-none', [aRate('nowhere')])).expect(200)
    await commit('c-none').expect(404)
    await put(aCard('c-none', [aRate('p2')])).expect(200)
    await commit('c-none').expect(200)
  })

  it('leaves a key that a newer commit does not name in force, and old commits citable', async () => {
    await put(aCard('c-old', [aRate('p3'), aRate('p3', { spot_length: 15, gross_rate_unit: 700 })])).expect(200)
    await put(aCard('c-new', [aRate('p3', { gross_rate_unit: 1300 })])).expect(200)
    const { body } = await avails('product_id=p3&weeks=2026-W50')
    expect(body.avails[0].rates.map((r: { gross_rate_unit: number }) => r.gross_rate_unit)).toEqual([700, 1300])
    expect((await commit('c-old')).body.entries).toHaveLength(6)
  })

  it('keeps windows, quotes, guarantees and exact figures, and returns timestamps in UTC', async () => {
    const entry = aRate('p4', {
      gross_rate_cpm: 12.34,
      audience_code: 'A18-49',
      guaranteed_impressions: 150000,
      clearance_tier: 'P2',
      currency: 'CAD',
      window: { closes: '2096-12-01T12:00:00+23:00' },
      quote_expires_at: '2026-12-02T00:00:00.5-05:00',
    })
    await put(aCard('c-full', [entry])).expect(200)
    const { body } = await avails('product_id=p4&weeks=2026-W52')
    expect(body.avails[0].rates[0]).toMatchObject({
      rate_basis: 'cpm',
      gross_rate_cpm: 12.34,
      audience_code: 'A18-49',
      guaranteed_impressions: 150000,
      clearance_tier: 'P2',
      currency: 'CAD',
      window: { closes: '2096-11-30T13:00:00.000Z' },
      quote_expires_at: '2026-12-02T05:00:00.500Z',
    })
  })
})

describe('a rate window', () => {
  it('closes a price to orders, which then stays on the card but not in the avails read', async () => {
    const week = '2026-W51'
    const entry = (market_class: string, closes: string) => aRate('p4', { market_class, week, spot_length: 60, window: { closes } })
    await put(aCard('c-windows', [entry('scatter', '2999-01-01T00:00:00Z'), entry('discounted', '2001-01-01T00:00:00Z')])).expect(200)
    const rates = (await commit('c-windows')).body.entries
    const shown = (await avails(`product_id=p4&weeks=${week}&spot_length=60`)).body.avails[0].rates
    expect(shown.map((rate: { market_class: string }) => rate.market_class)).toEqual(['scatter'])
    const ordered = (market_class: string) => {
      const { locked_rate_id, gross_rate_unit: unit_cost } = rates.find(
        (rate: { market_class: string }) => rate.market_class === market_class,
      )
      const rate = { market_class, advertiser_class: 'general', buy_type: 'preemptible', unit_cost, locked_rate_id, currency: 'USD' }
      const line = { product_id: 'p4', period: { grain: 'week', start: week }, units: 1, spot_length: 60, rate }
      const order = { seller: 'cable', external_order_id: market_class, rate_version: 'c-windows', line_items: [line] }
      return app.request
        .post('/v1/orders')
        .auth(app.tokens.buyers.acme, { type: 'bearer' })
        .send({ ...order, buyer_metadata: { advertiser_id: 'adv' } })
    }
    expect((await ordered('scatter')).status).toBe(201)
    const refused = await ordered('discounted')
    expect([refused.status, refused.body.details.field]).toEqual([422, 'line_items.0.rate.locked_rate_id'])
    expect(refused.body.error_message).toContain('2001-01-01')
  })
})

describe('a commit that was accepted in part', () => {
  const publish = (id: string) => sellerPut(app)('catalog', aCatalog(aProduct(id)), app.tokens.sellers.cable)
  const priced = async (name: string) => {
    const { entries } = (await commit(name).expect(200)).body
    return entries.map((e: { product_id: string; week: string }) => `${e.product_id} ${e.week}`).sort()
  }
  const WEEKS = ['2026-W50', '2026-W51', '2026-W52']

  it('takes the same bytes again once what it lacked is published, and then replays', async () => {
    const bytes = JSON.stringify(aCard('c-late', [aRate('p2'), aRate('late'), aRate('never')]))
    const first = await put(bytes)
    expect(first.body).toMatchObject({ result: 'partial', accepted: 1, rejected: 2 })
    expect((await put(bytes)).headers['x-idempotent-replay']).toBe('true')
    const ids = new Set((await commit('c-late')).body.entries.map((e: { locked_rate_id: string }) => e.locked_rate_id))
    await publish('late')
    const dry = await sellerPut(app)('rate-cards?dry_run=true', bytes, app.tokens.sellers.cable)
    expect(dry.body).toMatchObject({ accepted: 2, effect: { added: 3, changed: 0 } })
    const second = await put(bytes)
    expect(second.headers['x-idempotent-replay']).toBeUndefined()
    expect(second.body).toMatchObject({ result: 'partial', accepted: 2, rejected: 1, errors: [{ index: 2, value: 'never' }] })
    const third = await put(bytes)
    expect([third.headers['x-idempotent-replay'], third.text]).toEqual(['true', second.text])
    expect(await priced('c-late')).toEqual([...WEEKS.map((week) => `late ${week}`), ...WEEKS.map((week) => `p2 ${week}`)])
    const after = (await commit('c-late')).body.entries.map((e: { locked_rate_id: string }) => e.locked_rate_id)
    expect(after.filter((id: string) => ids.has(id))).toHaveLength(3)
    expect((await avails('product_id=late&weeks=2026-W51')).body.avails[0].rates).toMatchObject([{ gross_rate_unit: 1250.5 }])
    const diff = await commit('c-late/diff', '?against=c-span')
    expect(diff.body).toMatchObject({ added: 6 })
  })

  it('is completed by its refused entries alone, or corrected, beside those that it has', async () => {
    await put(aCard('c-mend', [aRate('p2'), aRate('p2', { spot_length: 15, buy_type: 'wrong' }), aRate('nowhere')])).expect(200)
    const alone = await put(aCard('c-mend', [aRate('p2', { spot_length: 15 })]))
    expect(alone.body).toMatchObject({ result: 'success', accepted: 1 })
    const whole = await put(aCard('c-mend', [aRate('p2'), aRate('p2', { spot_length: 15 }), aRate('p3')]))
    expect(whole.body).toMatchObject({ result: 'success', accepted: 3 })
    expect(await priced('c-mend')).toHaveLength(9)
  })

  it('is never changed: CONFLICT names the entries, and nothing is published', async () => {
    await put(aCard('c-kept', [aRate('p2'), aRate('nowhere')])).expect(200)
    const changed = await put(
      aCard('c-kept', [
        aRate('p3'),
        aRate('p2', { gross_rate_unit: 1 }),
        aRate('p2', { week: '2026-W51', currency: 'CAD', spot_length: 30 }),
      ]),
    )
    expect(changed.status).toBe(409)
    expect(changed.body).toMatchObject({ error_code: 'CONFLICT', details: { field: 'commit', commit: 'c-kept', entries: [1, 2] } })
    expect(changed.body.error_message).toContain('entry 1, entry 2')
    const moved = await put(aCard('c-kept', [aRate('p3')], { effective: { start: '2026-12-07', end: '2026-12-20' } }))
    expect([moved.status, moved.body.error_message]).toEqual([409, expect.stringContaining('effective.end')])
    expect(await priced('c-kept')).toHaveLength(3)
  })

  it('announces the windows of what is completed, once', async () => {
    const window = { closes: '2096-12-01T12:00:00Z' }
    const bytes = JSON.stringify(aCard('c-window', [aRate('p2', { window }), aRate('opened', { window })]))
    await put(bytes).expect(200)
    await publish('opened')
    await put(bytes).expect(200)
    const { rows } = await app.deps.db.pool.query(
      `select distinct body::json->'data'->>'product_id' as product from notices
        where body::json->>'event_type' = 'catalog.window_opened' and tenant = 'acme' order by 1`,
    )
    expect(rows.map(({ product }) => product)).toEqual(expect.arrayContaining(['opened', 'p2']))
  })
})

describe('PUT /me/rate-cards: 409', () => {
  it('refuses what a commit that took all does not have', async () => {
    await put(aCard('c-whole', [aRate('p2')])).expect(200)
    const reply = await put(aCard('c-whole', [aRate('p2'), aRate('p3')]))
    expect([reply.status, reply.body.details]).toEqual([409, { field: 'commit', commit: 'c-whole', entries: [1] }])
    const less = await put(aCard('c-whole', [aRate('p2', { week: '2026-W50' })]))
    expect([less.status, less.body.details]).toEqual([409, { field: 'commit', commit: 'c-whole', entries: [] }])
  })

  it('refuses a commit name with other content', async () => {
    await put(aCard('c-fixed', [aRate('p2')])).expect(200)
    const reply = await put(aCard('c-fixed', [aRate('p2', { gross_rate_unit: 1 })]))
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ error_code: 'CONFLICT', details: { commit: 'c-fixed' } })
  })
})

describe('PUT /me/rate-cards: 422', () => {
  it('refuses the whole commit when an entry has both costs or neither, naming every such entry, and leaves the name free', async () => {
    const both = aRate('p2', { gross_rate_cpm: 1 })
    const reply = await put(
      aCard('c-cost', [aRate('p2'), { ...both, gross_rate_unit: 2 }, { ...aRate('nowhere'), gross_rate_unit: undefined }]),
    )
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'entries.1.gross_rate_unit' } })
    expect(reply.body.details.errors.map((e: { pointer: string }) => e.pointer)).toEqual([
      '/entries/1/gross_rate_unit',
      '/entries/2/gross_rate_unit',
    ])
    await put(aCard('c-cost', [aRate('p2')])).expect(200)
  })

  it.each([
    ['effective.end', { effective: { start: '2026-12-27', end: '2026-12-07' } }],
    ['effective.start', { effective: { start: '0000-01-01', end: '0000-02-01' } }],
    ['effective.end', { effective: { start: '2026-01-01', end: '2999-12-31' } }],
    ['agreement_id', { agreement_id: 'agr_unknown' }],
    ['commit', { commit: '' }],
  ])('refuses a body that is not the envelope: %s', async (field, more) => {
    const reply = await put({ ...aCard('c-bad', [aRate('p2')]), ...more })
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})

describe('GET /me/rate-cards: 200', () => {
  it('lists commits, newest first, page by page', async () => {
    const list = (query: string) => app.request.get(`/v1/me/rate-cards${query}`).auth(app.tokens.sellers.cable, { type: 'bearer' })
    const all = (await list('?limit=200')).body.items.map((c: { commit: string }) => c.commit)
    const first = (await list('?limit=2')).body
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body
    expect([...first.items, ...second.items].map((c: { commit: string }) => c.commit)).toEqual(all.slice(0, 4))
  })

  it('pages the entries of a commit', async () => {
    const first = (await commit('c-span', '?limit=2')).body
    const second = (await commit('c-span', `?limit=2&cursor=${first.next_cursor}`)).body
    expect([first.entries.length, second.entries.length, second.next_cursor]).toEqual([2, 1, null])
  })
})

describe('GET /me/rate-cards/{commit}: 404', () => {
  it('is the same for an unknown commit and another seller of it', async () => {
    const foreign = await app.request.get('/v1/me/rate-cards/c-span').auth(app.tokens.sellers.station, { type: 'bearer' })
    const unknown = await app.request.get('/v1/me/rate-cards/none').auth(app.tokens.sellers.station, { type: 'bearer' })
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
  })
})
