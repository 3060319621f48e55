import { beforeAll, describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import type { Tenant } from '../../support/market.ts'
import { aCatalog, anAgreement, anAvail, aProduct } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  const policy = (avails_policy: string) => ({ disclosure: { avails_policy } })
  const products = [aProduct('asked', policy('on_request')), aProduct('never', policy('withheld'))]
  await market.cable.put('/me/catalog', aCatalog(...products))
  await market.cable.put('/me/agreements/agr-zenith', anAgreement({ buyer_entity: 'zenith', catalog_scope: ['hidden'] }))
})

const week = (start: string) => ({ grain: 'week', start })
const ask = (tenant: Tenant, product_id: string, period: object, more: object = {}) =>
  tenant.post('/sellers/cable/avails/requests', { product_id, period, ...more })
const asked = async (tenant: Tenant, product_id: string, period: object, more: object = {}): Promise<string> => {
  const reply = await ask(tenant, product_id, period, more)
  expect(reply.status).toBe(202)
  return reply.body.request_id
}
const publish = async (product_id: string, ...starts: string[]) => {
  const avails = starts.map((start) => anAvail(product_id, { period: week(start) }))
  expect((await market.cable.put('/me/avails', { avails })).body).toMatchObject({ accepted: starts.length, rejected: 0 })
}
const open = async (tenant: Tenant = market.cable) => (await tenant.get('/me/avails/requests')).body.items
const openIds = async () => (await open()).map(({ request_id }: { request_id: string }) => request_id)
const answersTo = async (request_id: string) => {
  await feedSettled(market.deps.db)
  const tenants = [market.acme, market.zenith, market.cable, market.station]
  const feeds = await Promise.all(tenants.map((tenant) => tenant.get('/events/feed?limit=500&events=catalog.avails_answered')))
  return feeds.map(({ body }) =>
    body.events.map(({ data }: { data: object }) => data).filter((data: { request_id: string }) => data.request_id === request_id),
  )
}
const seen = async (tenant: Tenant, product_id: string) =>
  (await tenant.get(`/sellers/cable/avails?product_id=${product_id}`)).body.avails as { period: { start: string }; spots?: object }[]

describe('POST /sellers/{seller}/avails/requests: 202', () => {
  it('shows the seller who asked for what, until the next publish that covers it', async () => {
    const request_id = await asked(market.acme, 'asked', week('2030-W10'), { note: 'for a launch' })
    expect(await open()).toEqual([
      {
        request_id,
        buyer_entity: 'acme',
        product_id: 'asked',
        period: week('2030-W10'),
        note: 'for a launch',
        requested_at: expect.any(String),
      },
    ])
    expect(await open(market.station)).toEqual([])
    await publish('asked', '2030-W11')
    expect(await openIds()).toEqual([request_id])
    await publish('asked', '2030-W10')
    expect(await openIds()).toEqual([])
  })

  it('notifies the asker and the seller of the answer, once', async () => {
    const request_id = await asked(market.acme, 'asked', week('2030-W12'))
    await publish('asked', '2030-W12', '2030-W13')
    await publish('asked', '2030-W12')
    const answer = { request_id, product_id: 'asked', periods: [week('2030-W12')] }
    expect(await answersTo(request_id)).toEqual([[answer], [], [answer], []])
  })

  it('discloses the answer only to the asker', async () => {
    await asked(market.acme, 'asked', week('2030-W14'))
    await publish('asked', '2030-W14', '2030-W15')
    const counts = async (tenant: Tenant) =>
      (await seen(tenant, 'asked')).filter(({ period }) => period.start >= '2030-W14').map(({ spots }) => spots)
    expect(await counts(market.acme)).toEqual([{ available: 12 }, undefined])
    expect(await counts(market.zenith)).toEqual([undefined, undefined])
  })

  it('returns the same request to a repeat, and a new one after the answer', async () => {
    const first = await asked(market.acme, 'asked', week('2030-W16'), { note: 'one' })
    expect(await asked(market.acme, 'asked', week('2030-W16'), { note: 'two' })).toBe(first)
    expect(await asked(market.zenith, 'asked', week('2030-W16'))).not.toBe(first)
    await publish('asked', '2030-W16')
    const again = await asked(market.acme, 'asked', week('2030-W16'))
    expect(again).not.toBe(first)
    await publish('asked', '2030-W16')
    expect((await answersTo(again))[0]).toHaveLength(1)
  })

  it('takes a month, and is answered when its last week is published beside the others', async () => {
    const request_id = await asked(market.acme, 'prime', { grain: 'month', start: '2030-06' })
    await publish('prime', '2030-W22', '2030-W23')
    expect(await openIds()).toContain(request_id)
    await publish('prime', '2030-W22', '2030-W23', '2030-W24', '2030-W25', '2030-W26')
    expect((await answersTo(request_id))[0]).toEqual([expect.objectContaining({ periods: expect.arrayContaining([week('2030-W26')]) })])
  })

  it('leaves a request for withheld avails open, of which a publish discloses nothing', async () => {
    const request_id = await asked(market.acme, 'never', week('2030-W20'))
    await publish('never', '2030-W20')
    expect(await openIds()).toContain(request_id)
    expect(await seen(market.acme, 'never')).toEqual([expect.not.objectContaining({ spots: expect.anything() })])
  })

  it('is answered once by publishes that arrive at the same time', async () => {
    const request_id = await asked(market.acme, 'asked', week('2030-W30'))
    await Promise.all([publish('asked', '2030-W30'), publish('asked', '2030-W30'), publish('asked', '2030-W30')])
    expect((await answersTo(request_id)).map((found) => found.length)).toEqual([1, 0, 1, 0])
  })
})

describe('POST /sellers/{seller}/avails/requests: 422', () => {
  it('refuses a product that the buyer may not see like an unknown one', async () => {
    const refused = async (product_id: string) => {
      const { status, text } = await ask(market.acme, product_id, week('2030-W10'))
      expect(status).toBe(422)
      return text.replaceAll(product_id, '…')
    }
    expect(await refused('hidden')).toBe(await refused('nowhere'))
    await asked(market.zenith, 'hidden', week('2030-W10'))
  })

  it.each([
    ['period.start', { period: week('2025-W53') }],
    ['period.grain', { period: { grain: 'year', start: '2030' } }],
    ['agreement', { agreement: 'agr-zenith' }],
    ['product_id', { product_id: '' }],
    ['note', { note: 'x'.repeat(2_001) }],
  ])('refuses a bad %s', async (field, more) => {
    const reply = await ask(market.acme, 'asked', week('2030-W10'), more)
    expect([reply.status, reply.body.details.field]).toEqual([422, field])
  })
})

describe('POST /sellers/{seller}/avails/requests: 404', () => {
  it('answers for an unknown seller', async () => {
    const reply = await market.acme.post('/sellers/nobody/avails/requests', { product_id: 'asked', period: week('2030-W10') })
    expect(reply.status).toBe(404)
  })
})

describe('GET /me/avails/requests: 200', () => {
  it('pages the open requests, oldest first', async () => {
    for (const start of ['2031-W01', '2031-W02', '2031-W03']) await asked(market.acme, 'asked', week(start))
    const all = (await market.cable.get('/me/avails/requests')).body
    expect(all.next_cursor).toBeNull()
    const first = (await market.cable.get('/me/avails/requests?limit=2')).body
    const rest = (await market.cable.get(`/me/avails/requests?limit=200&cursor=${first.next_cursor}`)).body
    expect([...first.items, ...rest.items]).toEqual(all.items)
  })
})
