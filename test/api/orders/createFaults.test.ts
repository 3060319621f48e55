import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const order = (more: Record<string, unknown> = {}) => market.order(more)
const line = (more: Record<string, unknown>, rate: Record<string, unknown> = {}) => order({ line_items: [market.line(more, rate)] })

describe('POST /orders: 422 for several faults', () => {
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

  it('lists schema faults in the order of the body', async () => {
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

  it('lists rule violations in the order of the body, the first of which gives code and details', async () => {
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

  it('lists at most a thousand faults of a body with many more', async () => {
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
        { ...order({ line_items: undefined }), request: { request_type: 'open', brief: 'Any', anchor_package_ids: times(90_000, 0) } },
        '/request/anchor_package_ids',
      ],
      [
        order({ buyer_metadata: { advertiser_id: 'adv-1', ...Object.fromEntries(times(40_000, 0).map((_, n) => [`k${n}`, 0])) } }),
        '/buyer_metadata/k0',
      ],
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
