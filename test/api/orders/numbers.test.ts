import { describe, expect, it } from '@jest/globals'
import { anAvail } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const COMPUTED = 0.1 + 0.2

describe('a number of more than 15 significant digits', () => {
  it('is rounded to 15 where it is not money', async () => {
    const orderId = await market.created({ line_items: [market.line({ rc_impressions: { 'A25-54': COMPUTED } })] })
    expect((await market.snapshot(orderId)).line_items[0]).toMatchObject({ rc_impressions: { 'A25-54': 0.3 } })
    const avail = anAvail('prime', { period: { grain: 'week', start: '2030-W22' }, sellout_level: COMPUTED })
    expect((await market.cable.put('/me/avails', { avails: [avail] })).body).toMatchObject({ rejected: 0 })
    const { body } = await market.cable.get('/me/avails?product_id=prime&weeks=2030-W22')
    expect(body.avails).toEqual([expect.objectContaining({ sellout_level: 0.3 })])
  })

  it('is refused by name where it is money', async () => {
    const order = market.order({ line_items: [market.line({}, { unit_cost: 1250.5000000000002 })] })
    const { status, body } = await market.acme.post('/orders', order)
    const message = 'must have at most 15 significant digits, since money is not rounded; 1250.5000000000002 was sent'
    expect([status, body.error_code, body.error_message]).toEqual([422, 'INVALID_INPUT', `line_items.0.rate.unit_cost ${message}`])
    expect(body.details.errors).toEqual([expect.objectContaining({ pointer: '/line_items/0/rate/unit_cost' })])
  })

  it('is malformed if it is whole and would be read as another, and the reply says where', async () => {
    const { status, body } = await market.acme.post('/orders', '{"buyer_metadata":{"buyer_contact":{"id":12345678901234567}}}')
    expect([status, body.error_code]).toEqual([400, 'MALFORMED_REQUEST'])
    expect(body.details).toMatchObject({ field: 'buyer_metadata.buyer_contact.id' })
    expect(body.details.errors).toEqual([expect.objectContaining({ pointer: '/buyer_metadata/buyer_contact/id' })])
  })
})
