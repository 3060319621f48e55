import { describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { type Tenant, WEEKS } from '../support/market.ts'
import { useSellerCalls } from './useSellerCalls.ts'

const use = useSellerCalls()
const { market, declare, created, hold, endOf, statusOf, comesTo, runOf, closes, operations } = use

describe('each level, walked from end to end, and nothing called that is not declared', () => {
  const decide = (orderId: string, seller: Tenant, body: Record<string, unknown> = {}) =>
    seller.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Ada', ...body })
  const gateOf = async (orderId: string) =>
    (await market.events(orderId))
      .flatMap(({ decision_record }) => decision_record ?? [])
      .map((record) => (record as { gate: string }).gate)

  /** Undeclared, so refused without a word to the seller. */
  const takesNoHolds = async () => {
    const reply = await hold()
    expect([reply.status, reply.body.details.field]).toEqual([422, 'seller'])
  }

  it('0: published, and decided in the console', async () => {
    await market.deps.db.pool.query(`update sellers set uses_api = false where seller = 'cable'`)
    expect(await declare({ approval: 'console' })).toBe(0)
    const { token } = await issueCredential(market.deps.db, { entity: 'cable', side: 'seller', kind: 'test', gate: 'console' })
    const orderId = await created()
    await comesTo(orderId, 'seller_review')
    expect((await decide(orderId, market.tenant(token))).status).toBe(202)
    await runOf(orderId).result()
    expect(await gateOf(orderId)).toEqual(['console'])
    expect((await market.cable.get('/me/capabilities')).body.conformance_level).toBe(0)
    await takesNoHolds()
    expect(operations()).toEqual([])
  })

  it('1: decided over the API', async () => {
    await declare({ approval: 'api' })
    const orderId = await created()
    await comesTo(orderId, 'seller_review')
    expect((await decide(orderId, market.cable)).status).toBe(202)
    await runOf(orderId).result()
    expect((await market.cable.get('/me/capabilities')).body.conformance_level).toBe(1)
    await takesNoHolds()
    expect(operations()).toEqual([])
  })

  it('2: live availability', async () => {
    expect(await declare({ realtime_availability: true })).toBe(2)
    const orderId = await created()
    await comesTo(orderId, 'seller_review')
    const { line_items } = await market.snapshot(orderId)
    expect(line_items).toMatchObject([{ availability: { state: 'available', basis: 'measured' } }])
    expect(use.server.calls).toMatchObject([{ operation: 'POST /availability', signed: true, body: { order_id: orderId } }])
    expect(use.server.calls[0]?.body.lines).toEqual([
      { unit_id: line_items[0]?.unit_id, product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 10 },
    ])
    expect((await market.events(orderId)).map(({ status }) => status)).toEqual(['submitted', 'validating', 'seller_review'])
    await decide(orderId, market.cable)
    await runOf(orderId).result()
    await takesNoHolds()
    expect(operations()).toEqual(['POST /availability'])
  })

  it('3: negotiation', async () => {
    expect(await declare({ realtime_availability: true, negotiation: true })).toBe(3)
    const orderId = await created()
    await comesTo(orderId, 'seller_review')
    const [unit] = (await market.snapshot(orderId)).line_items
    const units = [{ unit_id: unit?.unit_id, action: 'counter', counter: { week: WEEKS[2], unit_cost: 1_000 } }]
    expect((await decide(orderId, market.cable, { decision: 'counter', units })).status).toBe(202)
    await comesTo(orderId, 'negotiating')
    expect((await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })).status).toBe(202)
    await runOf(orderId).result()
    expect(await statusOf(orderId)).toBe('placed')
    await takesNoHolds()
    expect(operations()).toEqual(['POST /availability'])
  })

  it('4: holds, decided by its own API', async () => {
    const sla = { min_lead_minutes: 60 }
    expect(await declare({ approval: 'pull', realtime_availability: true, negotiation: true, holds: true, sla })).toBe(4)
    const { body: held, status } = await hold(10)
    expect(status).toBe(201)
    const { hold_id, lines, expires_at } = held
    expect(use.server.calls).toMatchObject([{ operation: 'POST /holds', signed: true, body: { hold_id, lines, expires_at } }])
    const orderId = await created({ line_items: [market.line({ hold_id })] })
    await closes(orderId)
    expect(await gateOf(orderId)).toEqual(['pull'])
    expect(operations()).toEqual(['POST /holds', 'POST /availability', 'POST /decisions'])
    expect(use.server.calls.every(({ signed }) => signed)).toBe(true)
    expect(use.server.calls[1]?.body.lines).toMatchObject([{ hold_id }])
    expect((await market.acme.get(`/holds/${hold_id}`)).body.status).toBe('used')
  })

  const CALLS = {
    approval: { says: { approval: 'pull' }, calls: ['POST /decisions'] },
    availability: { says: { realtime_availability: true }, calls: ['POST /availability'] },
    holds: { says: { holds: true }, calls: ['POST /holds', 'DELETE /holds'] },
  } as const
  type Declared = (keyof typeof CALLS)[]
  it.each<[Declared]>([
    [[]],
    [['approval']],
    [['holds']],
    [['approval', 'availability']],
    [['approval', 'holds']],
    [['availability', 'holds']],
  ])('of approval, availability and holds, what is declared: %j', async (declared) => {
    await declare(Object.assign({}, ...declared.map((one) => CALLS[one].says)))
    if (declared.includes('holds')) {
      const { hold_id } = (await hold()).body
      await market.acme.delete(`/holds/${hold_id}`)
      await endOf(hold_id)
    } else await takesNoHolds()
    const orderId = await created()
    if (!declared.includes('approval')) {
      await comesTo(orderId, 'seller_review')
      await decide(orderId, market.cable)
    }
    await closes(orderId)
    expect(operations().sort()).toEqual(declared.flatMap((one) => CALLS[one].calls).sort())
  })

  it('holds without a pull connection are the platform’s alone', async () => {
    expect((await market.cable.put('/me/capabilities', { holds: true })).status).toBe(200)
    const { hold_id } = (await hold()).body
    await market.acme.delete(`/holds/${hold_id}`)
    await endOf(hold_id)
    expect(operations()).toEqual([])
  })
})
