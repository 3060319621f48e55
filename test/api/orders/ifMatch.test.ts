import { describe, expect, it } from '@jest/globals'
import { postWith } from '../../support/http/postWith.ts'
import type { Tenant } from '../../support/market.ts'
import { counterBody } from '../../support/orders/decisions.ts'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const send = (tenant: Tenant, path: string, body: object, ifMatch: string) => postWith(market, tenant, path, { 'If-Match': ifMatch }, body)
const etagOf = async (tenant: Tenant, path: string) => (await tenant.get(path)).headers.etag ?? ''
const APPROVE = { decision: 'approve', actor: 'Ada' }
const moved = (status: string, last_seq: number) => ({ error_code: 'INVALID_STATE', details: { status, last_seq } })
const counter = (orderId: string, unit_cost: number) => counterBody(market, orderId, { unit_cost })

describe('GET of an order', () => {
  it('gives both sides its last_seq as ETag', async () => {
    const orderId = await market.parked()
    expect([await etagOf(market.acme, `/orders/${orderId}`), await etagOf(market.cable, `/me/orders/${orderId}`)]).toEqual(['"3"', '"3"'])
  })
})

describe('If-Match on a command', () => {
  it('lets an accept take only the counter that its buyer saw', async () => {
    const orderId = await market.parked()
    await market.cable.post(`/me/orders/${orderId}/decide`, await counter(orderId, 900))
    const seen = await etagOf(market.acme, `/orders/${orderId}`)
    await market.cable.post(`/me/orders/${orderId}/decide`, await counter(orderId, 1_300))
    const accept = { action: 'accept' }
    const stale = await send(market.acme, `/orders/${orderId}/respond`, accept, seen)
    expect([stale.status, stale.body]).toMatchObject([409, moved('negotiating', 5)])
    const fresh = await send(market.acme, `/orders/${orderId}/respond`, accept, await etagOf(market.acme, `/orders/${orderId}`))
    expect([fresh.status, fresh.body.status]).toEqual([202, 'placed'])
  })

  it('keeps a counter from a stale view from becoming a new round', async () => {
    const orderId = await market.parked()
    const seen = await etagOf(market.cable, `/me/orders/${orderId}`)
    await market.cable.post(`/me/orders/${orderId}/decide`, await counter(orderId, 900))
    const late = await send(market.cable, `/me/orders/${orderId}/decide`, await counter(orderId, 950), seen)
    expect([late.status, late.body]).toMatchObject([409, moved('negotiating', 4)])
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it.each(['"3"', 'W/"3"', '"1", "3"', 'W/"2" , W/"3"', '*', '3'])('takes %s for the state at 3', async (ifMatch) => {
    const orderId = await market.parked()
    expect((await send(market.cable, `/me/orders/${orderId}/decide`, APPROVE, ifMatch)).status).toBe(202)
  })

  it.each(['"2"', '"30"', 'W/"4", "5"', '"*"x', '"three"'])('takes %s for another one', async (ifMatch) => {
    const orderId = await market.parked()
    const reply = await send(market.cable, `/me/orders/${orderId}/decide`, APPROVE, ifMatch)
    expect([reply.status, reply.body]).toMatchObject([409, moved('seller_review', 3)])
  })

  it('is reported before the faults of the command itself', async () => {
    const orderId = await market.parked()
    const units = [{ unit_id: 'unit_gone', action: 'reject' }]
    const reply = await send(market.cable, `/me/orders/${orderId}/decide`, { ...APPROVE, units }, '"2"')
    expect(reply.body).toMatchObject(moved('seller_review', 3))
  })

  it('is checked after repeats, which get their first reply again', async () => {
    const orderId = await market.parked()
    const approved = await send(market.cable, `/me/orders/${orderId}/decide`, APPROVE, '"3"')
    const again = await send(market.cable, `/me/orders/${orderId}/decide`, APPROVE, '"3"')
    expect([again.status, again.text]).toEqual([202, approved.text])
    const canceled = await send(market.acme, `/orders/${orderId}/cancel`, { reason: 'budget' }, '"4"')
    const twice = await send(market.acme, `/orders/${orderId}/cancel`, { reason: 'budget' }, '"4"')
    expect([canceled.status, twice.status, twice.text]).toEqual([202, 202, canceled.text])
    expect((await send(market.cable, `/me/orders/${orderId}/decide`, APPROVE, '"3"')).text).toBe(approved.text)
  })

  it('is taken by cancel, plan and confirm', async () => {
    const proposals = await proposalsOf(market)
    const orderId = await proposals.asked()
    const late = await send(market.cable, `/me/orders/${orderId}/plan`, proposals.plan(), '"1"')
    expect(late.body).toMatchObject(moved('validating', 2))
    expect((await send(market.cable, `/me/orders/${orderId}/plan`, proposals.plan(), '"2"')).status).toBe(202)
    const confirm = { action: 'confirm', actor: 'Bea' }
    expect((await send(market.acme, `/orders/${orderId}/confirm`, confirm, '"2"')).body).toMatchObject(moved('needs_confirmation', 3))
    expect((await send(market.acme, `/orders/${orderId}/confirm`, confirm, '"3"')).status).toBe(202)
    expect((await send(market.acme, `/orders/${orderId}/cancel`, {}, '"3"')).body).toMatchObject(moved('seller_review', 4))
  })

  it('lets one of many commands from the same view through', async () => {
    const orderId = await market.parked()
    const rounds = await Promise.all([900, 910, 920, 930, 940].map((unit_cost) => counter(orderId, unit_cost)))
    const replies = await Promise.all(rounds.map((round) => send(market.cable, `/me/orders/${orderId}/decide`, round, '"3"')))
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409])
  })
})

describe('last_seq in the body of a command', () => {
  it('answers the same, and does not turn a repeat into another command', async () => {
    const orderId = await market.parked()
    const stale = await market.cable.post(`/me/orders/${orderId}/decide`, { ...APPROVE, last_seq: 2 })
    expect([stale.status, stale.body]).toMatchObject([409, moved('seller_review', 3)])
    const approved = await market.cable.post(`/me/orders/${orderId}/decide`, { ...APPROVE, last_seq: 3 })
    expect(approved.status).toBe(202)
    expect((await market.cable.post(`/me/orders/${orderId}/decide`, APPROVE)).text).toBe(approved.text)
    expect((await market.acme.post(`/orders/${orderId}/cancel`, { last_seq: 3 })).body).toMatchObject(moved('placed', 4))
    expect((await market.acme.post(`/orders/${orderId}/cancel`, { last_seq: 4 })).status).toBe(202)
    expect((await market.acme.post(`/orders/${orderId}/cancel`, { last_seq: 4 })).status).toBe(202)
  })

  it('works together with the header', async () => {
    const orderId = await market.parked()
    expect((await send(market.cable, `/me/orders/${orderId}/decide`, { ...APPROVE, last_seq: 2 }, '"3"')).status).toBe(409)
  })
})
