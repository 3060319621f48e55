import { beforeAll, describe, expect, it } from '@jest/globals'
import { carryOut } from '../../../src/local/sandbox/carryOut.ts'
import { inventoryOf } from '../../../src/local/sandbox/inventory.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { type SandboxParties, sandboxParties } from '../../support/sandboxParties.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const ask = (body: object) => market.station.post('/sandbox/orders', body)

describe('POST /sandbox/orders: 409', () => {
  it('is the answer where the sandbox has no buyer', async () => {
    expect(await ask({})).toMatchObject({ status: 409, body: { error_code: 'INVALID_STATE' } })
  })
})

describe('with a buyer', () => {
  let parties: SandboxParties
  beforeAll(async () => {
    parties = await sandboxParties(market, ['sandbox-buyer'])
    market.beforeStop(() => parties.stop())
  })

  it('POST /sandbox/orders: 201 with status requested while nobody has carried it out, and GET says what became of it', async () => {
    const answers = Array.from({ length: 9 }, () => ask({}))
    const { status, body } = await Promise.race(answers)
    expect([status, body]).toEqual([
      201,
      { external_order_id: expect.stringMatching(/^sandbox_/), buyer_entity: 'sandbox-buyer', status: 'requested', then: 'accepts' },
    ])
    const read = () => market.station.get(`/sandbox/orders/${body.external_order_id}`)
    expect(await read()).toMatchObject({ status: 200, body })
    parties.act()
    for (const answer of await Promise.all(answers)) expect([201, 422]).toContain(answer.status)
    await until(async () => (await read()).body.status !== 'requested')
    expect((await read()).body).toMatchObject({ status: 'refused', error: { error_code: 'INVALID_INPUT', details: { field: 'products' } } })
    expect((await market.cable.get(`/sandbox/orders/${body.external_order_id}`)).status).toBe(404)
  })

  it('POST /sandbox/orders: 422 where nothing has a price in the weeks ahead', async () => {
    expect(await ask({})).toMatchObject({ status: 422, body: { details: { field: 'products', possible: [] } } })
  })

  describe('and prices', () => {
    beforeAll(async () => {
      const { catalog, rateCard, avails } = inventoryOf('sandbox-tv', new Date().toISOString().slice(0, 10))
      for (const [path, body] of Object.entries({ catalog, 'rate-cards': rateCard, avails }))
        expect((await market.station.put(`/me/${path}`, body)).body.rejected).toBe(0)
      await market.station.put('/me/capabilities', { modes: { catalog: true, proposal: true, document: true } })
    })

    it('POST /sandbox/orders: 201 with the first product that has a price', async () => {
      const { status, body } = await ask({})
      expect([status, body]).toEqual([
        201,
        {
          ...{ order_id: expect.any(String), external_order_id: expect.any(String), buyer_entity: 'sandbox-buyer', status: 'submitted' },
          ...{ created_at: expect.any(String), then: 'accepts' },
        },
      ])
      const { line_items, buyer_metadata } = (await market.station.get(`/me/orders/${body.order_id}`)).body
      expect([line_items[0].product_id, line_items[0].rate.unit_cost, buyer_metadata.campaign_id]).toEqual([
        expect.stringMatching(/^sbx-/),
        1_000,
        'sandbox: accepts',
      ])
    })

    it('orders the products and the lines that it names', async () => {
      const two = await ask({ products: ['sbx-approved', 'sbx-rejected'], then: 'silent' })
      const lines = (await market.station.get(`/me/orders/${two.body.order_id}`)).body.line_items
      expect(lines.map(({ product_id }: { product_id: string }) => product_id)).toEqual(['sbx-approved', 'sbx-rejected'])
      const start = lines[0].period.start
      const one = await ask({ lines: [{ product_id: 'sbx-approved', period: { grain: 'week', start }, units: 7 }] })
      expect((await market.station.get(`/me/orders/${one.body.order_id}`)).body.line_items[0]).toMatchObject({
        units: 7,
        period: { start },
      })
    })

    it('GET /sandbox/orders/{external_order_id}: 200 with the order', async () => {
      const { body } = await ask({})
      const { external_order_id, order_id } = body
      expect(await market.station.get(`/sandbox/orders/${external_order_id}`)).toMatchObject({ status: 200, body })
      expect((await market.station.get(`/me/orders?external_order_id=${external_order_id}`)).body.orders).toMatchObject([{ order_id }])
    })

    it.each(['catalog', 'proposal', 'document'] as const)(
      'places one order by a %s, however often it is killed meanwhile',
      async (template) => {
        const request_id = newId('sandbox_')
        const request = { request_id, tenant: 'station', kind: 'order', body: { template, then: 'silent' } } as const
        const [first, second] = await Promise.all([carryOut(parties.clientOf, request), carryOut(parties.clientOf, request)])
        const third = await carryOut(parties.clientOf, request)
        expect([second, third].map(({ order }) => order?.order_id)).toEqual([first.order?.order_id, first.order?.order_id])
        expect((await market.station.get(`/me/orders?external_order_id=${request_id}`)).body.orders).toHaveLength(1)
      },
    )

    it.each(['proposal', 'document'])('orders by a %s', async (template) => {
      const { status, body } = await ask({ template })
      expect(status).toBe(201)
      expect((await market.station.get(`/me/orders/${body.order_id}`)).body.workflow).toBe(template)
    })

    it('POST /sandbox/orders: 422 names what has a price', async () => {
      const { status, body } = await ask({ products: ['nothing'] })
      expect([status, body.details.field, body.details.possible.includes('sbx-approved')]).toEqual([422, 'products.0', true])
      expect((await ask({ then: 'dances' })).body.details.field).toBe('then')
    })

    it('POST /sandbox/orders: 429 beyond 60 a minute, and another seller is served', async () => {
      const answers = await Promise.all(Array.from({ length: 70 }, () => ask({ products: ['nothing'] })))
      expect(answers.some(({ status }) => status === 429)).toBe(true)
      expect(answers.find(({ status }) => status === 429)?.body.details).toMatchObject({
        limit: 'orders on demand',
        most: 60,
        window_s: 60,
      })
      expect([201, 422]).toContain((await market.cable.post('/sandbox/orders', {})).status)
    })
  })
})
