import { beforeAll, describe, expect, it } from '@jest/globals'
import type { TenantReply } from '../../support/market.ts'
import { counterBody, counterOrder } from '../../support/orders/decisions.ts'
import { type Proposals, proposalsOf } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let proposals: Proposals
beforeAll(async () => {
  proposals = await proposalsOf(market)
})

const asked = () => proposals.asked()
const planned = async () => {
  const orderId = await asked()
  await proposals.planned(orderId)
  return orderId
}
const countered = async () => {
  const orderId = await market.parked()
  await counterOrder(market, orderId, { unit_cost: 1100 })
  return orderId
}
const buyer = (verb: string, body: object) => (orderId: string) => market.acme.post(`/orders/${orderId}/${verb}`, body)
const decide = (body: object) => (orderId: string) => market.cable.post(`/me/orders/${orderId}/decide`, { actor: 'Ada', ...body })

/** Every command on an order: an order that takes it, and the command. */
const COMMANDS: readonly [string, () => Promise<string>, (orderId: string) => Promise<TenantReply>][] = [
  ['confirm', planned, buyer('confirm', { action: 'confirm', actor: 'Bea' })],
  ['confirm, a rejection', planned, buyer('confirm', { action: 'reject', actor: 'Bea', reason: 'no' })],
  ['respond, an accept', countered, buyer('respond', { action: 'accept' })],
  ['respond, a withdrawal', countered, buyer('respond', { action: 'withdraw' })],
  ['cancel', () => market.parked(), buyer('cancel', {})],
  ['decide, an approval', () => market.parked(), decide({ decision: 'approve' })],
  ['decide, a rejection', () => market.parked(), decide({ decision: 'reject', reason: 'sold out' })],
]

describe('the reply to a command on an order', () => {
  it.each(COMMANDS)('says at which seq the order is, and that a repeat is one: %s', async (_, ready, send) => {
    const orderId = await ready()
    const first = await send(orderId)
    const { last_seq } = await market.snapshot(orderId)
    expect([first.status, first.body.last_seq, first.headers['x-idempotent-replay']]).toEqual([202, last_seq, undefined])
    const again = await send(orderId)
    expect([again.status, again.text, again.headers['x-idempotent-replay']]).toEqual([202, first.text, 'true'])
    expect((await market.snapshot(orderId)).last_seq).toBe(last_seq)
  })

  it('says so of a counter and of a plan, whose bytes are repeated', async () => {
    const orderId = await market.parked()
    const counter = await counterBody(market, orderId, { unit_cost: 1100 })
    const proposal = await asked()
    const plan = proposals.plan()
    for (const send of [() => decide(counter)(orderId), () => market.cable.post(`/me/orders/${proposal}/plan`, plan)]) {
      const first = await send()
      const again = await send()
      expect([first.status, first.headers['x-idempotent-replay']]).toEqual([202, undefined])
      expect([again.text, again.headers['x-idempotent-replay']]).toEqual([first.text, 'true'])
    }
  })
})
