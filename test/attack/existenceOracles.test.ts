import { beforeAll, describe, expect, it } from '@jest/globals'
import { useMarket } from '../support/useMarket.ts'
import { report } from './support/table.ts'

const market = useMarket()
const effective = { start: '2026-01-01', end: '2030-12-31' }
beforeAll(async () => {
  // Between a buyer and a seller other than those who ask below.
  await market.station.put('/me/agreements/agr-foreign', { buyer_entity: 'zenith', effective })
  // Between this seller and another buyer.
  await market.cable.put('/me/agreements/agr-other-buyer', { buyer_entity: 'zenith', effective })
})
let asked = 0
market.beforeStop(async () => {
  report('existence oracles', { questions: asked })
})

interface Asked {
  get(path: string): Promise<{ status: number; text: string }>
  post(path: string, body: unknown): Promise<{ status: number; text: string }>
  put(path: string, body: unknown): Promise<{ status: number; text: string }>
}
type Ask = (name: string) => Promise<{ status: number; text: string }>
const buyer = (): Asked => market.acme
const seller = (): Asked => market.cable

/** An answer without the name that was asked for. */
const answerTo = async (ask: Ask, name: string) => {
  asked += 1
  const { status, text } = await ask(name)
  return { status, text: text.replaceAll(name, 'NAME') }
}

const FOREIGN_AGREEMENTS = ['agr-foreign', 'agr-other-buyer'] as const
const OF_AGREEMENTS: Record<string, Ask> = {
  'GET /agreements/{id}/pacing': (id) => buyer().get(`/agreements/${id}/pacing`),
  'GET /settlement/credit': (id) => buyer().get(`/settlement/credit?agreement=${id}`),
  'GET /sellers/{seller}/catalog': (id) => buyer().get(`/sellers/cable/catalog?agreement=${id}`),
  'GET /sellers/{seller}/avails': (id) => buyer().get(`/sellers/cable/avails?agreement=${id}`),
  'POST /orders': (id) => buyer().post('/orders', market.order({ agreement_id: id })),
  'POST /orders, dry run': (id) => buyer().post('/orders?dry_run=true', market.order({ agreement_id: id })),
  'POST /orders with a settlement mode': (id) => buyer().post('/orders', market.order({ agreement_id: id, settlement_mode: 'direct' })),
  'POST /sellers/{seller}/avails/requests': (agreement) =>
    buyer().post('/sellers/cable/avails/requests', {
      product_id: 'prime',
      period: { grain: 'week', start: '2030-W23' },
      agreement,
    }),
}

describe.each(Object.entries(OF_AGREEMENTS))('%s', (_, ask) => {
  it('answers a foreign agreement like an unknown one', async () => {
    const unknown = await answerTo(ask, 'agr-nowhere')
    for (const id of FOREIGN_AGREEMENTS) expect(await answerTo(ask, id)).toEqual(unknown)
  })
})

describe('a seller', () => {
  it.each<[string, Ask]>([
    ['GET /me/agreements/{id}', (id) => seller().get(`/me/agreements/${id}`)],
    ['GET /me/agreements/{id}/pacing', (id) => seller().get(`/me/agreements/${id}/pacing`)],
    ['GET /me/agreements/{id}/credit', (id) => seller().get(`/me/agreements/${id}/credit`)],
    [
      'PUT /me/rate-cards under an agreement',
      (agreement_id) =>
        seller().put('/me/rate-cards', {
          commit: 'oracle',
          effective: { start: '2030-06-03', end: '2030-06-09' },
          entries: [],
          agreement_id,
        }),
    ],
  ])('%s answers a foreign agreement like an unknown one', async (_, ask) => {
    expect(await answerTo(ask, 'agr-foreign')).toEqual(await answerTo(ask, 'agr-nowhere'))
  })

  it.each<[string, Ask]>([
    ['GET /me/buyers/{buyer_entity}', (name) => seller().get(`/me/buyers/${name}`)],
    ['PUT /me/buyers/{buyer_entity}', (name) => seller().put(`/me/buyers/${name}`, { status: 'suspended' })],
    ['PUT /me/agreements/{id}', (name) => seller().put(`/me/agreements/agr-of-${name}`, { buyer_entity: name, effective })],
    [
      'PUT /me/approval-rules',
      (name) => seller().put('/me/approval-rules', { rules: [{ id: 'r', when: { buyers: [name] }, then: 'hold' }] }),
    ],
  ])('%s does not reveal whether a name is a buyer, a seller or nobody', async (_, ask) => {
    const unknown = await answerTo(ask, 'nobody')
    expect(unknown.status).toBeLessThan(300)
    for (const name of ['zenith', 'station']) expect(await answerTo(ask, name)).toEqual(unknown)
  })

  it('can grant to a buyer that joins later', async () => {
    const put = await seller().put('/me/agreements/agr-early', { buyer_entity: 'early-bird', effective })
    expect(put.status).toBe(201)
    expect((await market.cable.get('/me/agreements/agr-early')).body.buyer_entity).toBe('early-bird')
  })

  it('learns that an agreement id is taken, and nothing else', async () => {
    const { status, text } = await seller().put('/me/agreements/agr-foreign', { buyer_entity: 'acme', effective })
    expect([status, text]).toEqual([404, (await market.cable.get('/me/agreements/agr-nowhere')).text])
  })
})

describe('an order of somebody else', () => {
  const counter = (unit_id: string) => ({
    ...{ decision: 'counter', actor: 'Eve', units: [{ unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1 } }] },
  })

  it('answers a counter like an unknown order, even while its owner counters it', async () => {
    const orderId = await market.parked()
    const [unit_id = ''] = (await market.snapshot(orderId)).line_items.map((line) => line.unit_id)
    const foreign = (id: string) => market.station.post(`/me/orders/${id}/decide`, counter(unit_id))
    const unknown = await answerTo(foreign, 'ord_unknown')
    expect(unknown.status).toBe(404)
    // Sent at once, so that the orders are loaded in one statement under both tenants' access.
    const [own, ...others] = await Promise.all([
      market.cable.post(`/me/orders/${orderId}/decide?dry_run=true`, counter(unit_id)),
      ...Array.from({ length: 8 }, () => answerTo(foreign, orderId)),
    ])
    expect(own.status).toBe(200)
    for (const answer of others) expect(answer).toEqual(unknown)
  })
})
