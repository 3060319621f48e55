import { describe, expect, it } from '@jest/globals'
import { postWith } from '../../support/http/postWith.ts'
import { MONDAY, makegoodsOf } from '../../support/makegoods/makegoodsOf.ts'
import { bookedOrder } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { missing, anOffer, answer, offered, revise } = makegoodsOf(market)
const keyed = (who: 'acme' | 'cable', path: string, key: string, body: object) =>
  postWith(market, market[who], `${who === 'cable' ? '/me' : ''}/orders/${path}`, { 'Idempotency-Key': key }, body)
const countOf = async (order: string) => (await market.acme.get(`/orders/${order}/makegoods`)).body.items.length

describe('POST /me/orders/{order_id}/makegoods with an Idempotency-Key: 201', () => {
  it('begins one makegood, however often and at once it is sent', async () => {
    const order = await bookedOrder(market)
    const body = { for: [await missing(order)], offers: [anOffer()] }
    const replies = await Promise.all(Array.from({ length: 4 }, () => keyed('cable', `${order}/makegoods`, 'k-1', body)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map((reply) => reply.body.makegood_id)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers['x-idempotent-replay'] === 'true')).toHaveLength(3)
    const [first] = replies
    await answer(order, first?.body.makegood_id, 'accept')
    const again = await keyed('cable', `${order}/makegoods`, 'k-1', body)
    expect([again.status, again.body.status, await countOf(order)]).toEqual([201, 'accepted', 1])
  })

  it('begins another under another key, and none for what is not missing any more', async () => {
    const order = await bookedOrder(market)
    const body = { for: [await missing(order, 4, MONDAY)] }
    expect((await keyed('cable', `${order}/makegoods`, 'k-1', body)).status).toBe(201)
    expect((await keyed('cable', `${order}/makegoods`, 'k-2', body)).status).toBe(422)
    expect(await countOf(order)).toBe(1)
  })
})

describe('POST /me/orders/{order_id}/makegoods with an Idempotency-Key: 409', () => {
  it('is CONFLICT with another body', async () => {
    const order = await bookedOrder(market)
    await keyed('cable', `${order}/makegoods`, 'k-1', { for: [await missing(order)] })
    const { status, body } = await keyed('cable', `${order}/makegoods`, 'k-1', { for: [await missing(order, 2)] })
    expect([status, body.error_code, body.details.field]).toEqual([409, 'CONFLICT', 'Idempotency-Key'])
  })
})

describe('an answer with an Idempotency-Key', () => {
  it('is given once, and told as it is now', async () => {
    const order = await bookedOrder(market)
    const id = await offered(order)
    const accept = { action: 'accept', version: 1 }
    const replies = await Promise.all(Array.from({ length: 3 }, () => keyed('acme', `${order}/makegoods/${id}`, 'k-1', accept)))
    expect(replies.map(({ status, body }) => [status, body.status, body.actions.length])).toEqual(Array(3).fill([200, 'accepted', 2]))
    const other = await keyed('acme', `${order}/makegoods/${id}`, 'k-1', { action: 'decline', version: 1 })
    expect([other.status, other.body.error_code]).toEqual([409, 'CONFLICT'])
    expect((await keyed('acme', `${order}/makegoods/${id}`, 'k-2', accept)).body.error_code).toBe('INVALID_STATE')
  })

  it('replays an offer that was sent twice, and makes another under another key', async () => {
    const order = await bookedOrder(market)
    const id = await offered(order)
    const offer = { action: 'offer', offers: [anOffer()] }
    for (const [key, version] of [['k-1', 2] as const, ['k-1', 2] as const, ['k-2', 3] as const]) {
      expect((await keyed('cable', `${order}/makegoods/${id}`, key, offer)).body.version).toBe(version)
    }
    expect((await revise(order, id, offer)).body.version).toBe(3)
  })
})
