import { describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { orderActivities } from '../../../activities/orders.ts'
import type { OrderHead } from '../../../src/domain/order/head.ts'
import { decideByRules } from '../../../src/operations/orders/decideByRules.ts'
import { readHead } from '../../../src/store/orders/orderHead.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const put = (rules: unknown[]) => market.cable.put('/me/approval-rules', { rules })
const approval = (word: string) => market.cable.put('/me/capabilities', { approval: word })
const headOf = async (orderId: string) => (await readHead(market.deps.db, orderId)) as OrderHead
/** As the workflow asks, and as it asked when it had read this head. */
const step = async (orderId: string): Promise<OrderHead> => {
  const activities = orderActivities({ log: market.deps.orders, db: market.deps.db })
  return new MockActivityEnvironment(RUN(orderId)).run(activities.decideByRules, orderId)
}
const byRules = (head: OrderHead) =>
  decideByRules(market.deps.orders, market.deps.db, head, `order:${head.order_id}:rules:${head.last_seq}`)
const RUN = (orderId: string) => ({ workflowExecution: { workflowId: `order:${orderId}`, runId: 'run' } })

describe('PUT /me/approval-rules: 200', () => {
  it('replaces the rules, keeps their order, and says whether the profile puts them in force', async () => {
    const rules = [
      { id: 'big', when: { max_gross: 100.5, min_lead_days: 0, grains: ['day', 'week'] }, then: 'hold' },
      { id: 'all', when: {}, then: 'approve' },
    ]
    await approval('api')
    const reply = await put(rules)
    const last_30_days = { approved: 0, rejected: 0, held: 0, last_used_at: null }
    const used = rules.map((rule) => ({ ...rule, last_30_days }))
    expect([reply.status, reply.body]).toEqual([200, { rules: used, in_force: false }])
    await approval('rules')
    expect((await market.cable.get('/me/approval-rules')).body).toEqual({ rules: used, in_force: true })
    expect((await put(used)).status).toBe(200)
    expect((await market.station.get('/me/approval-rules')).body).toEqual({ rules: [], in_force: false })
    expect((await put([])).body).toEqual({ rules: [], in_force: true })
  })
})

describe('PUT /me/approval-rules: 422', () => {
  it.each([
    ['rules', {}],
    ['rules', { rules: {} }],
    ['rules', { rules: Array.from({ length: 201 }, (_, index) => ({ id: `r${index}`, when: {}, then: 'hold' })) }],
    ['rules.0.id', { rules: [{ when: {}, then: 'approve' }] }],
    ['rules.0.then', { rules: [{ id: 'a', when: {}, then: 'counter' }] }],
    ['rules.0.when', { rules: [{ id: 'a', then: 'approve' }] }],
    ['rules.0.when.max_gros', { rules: [{ id: 'a', when: { max_gros: 5 }, then: 'approve' }] }],
    ['rules.0.unless', { rules: [{ id: 'a', when: {}, unless: {}, then: 'approve' }] }],
    ['rules.0.when.max_gross', { rules: [{ id: 'a', when: { max_gross: -1 }, then: 'approve' }] }],
    ['rules.0.when.min_lead_days', { rules: [{ id: 'a', when: { min_lead_days: 1.5 }, then: 'approve' }] }],
    ['rules.0.when.products', { rules: [{ id: 'a', when: { products: [] }, then: 'approve' }] }],
    ['rules.0.when.market_classes.0', { rules: [{ id: 'a', when: { market_classes: ['remnant'] }, then: 'approve' }] }],
    ['rules.1.id', { rules: [1, 2].map(() => ({ id: 'a', when: {}, then: 'hold' })) }],
  ])('names %s and keeps the current rules', async (field, body) => {
    await put([{ id: 'current', when: {}, then: 'hold' }])
    const reply = await market.cable.put('/me/approval-rules', body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
    expect((await market.cable.get('/me/approval-rules')).body.rules).toMatchObject([{ id: 'current' }])
  })
})

describe('an order that comes to a seller with approval rules', () => {
  it('waits for them, and is decided by the first that matches, once', async () => {
    await approval('rules')
    await put([
      { id: 'others', when: { buyers: ['zenith'] }, then: 'reject' },
      { id: 'all', when: {}, then: 'approve' },
    ])
    const orderId = await market.parked()
    expect(await headOf(orderId)).toMatchObject({ status: 'seller_review', gate_due: 'rules' })
    const before = await headOf(orderId)
    const after = await step(orderId)
    expect(after).toMatchObject({ status: 'placed', last_seq: 4, gate_due: null })
    expect((await market.events(orderId)).at(-1)).toMatchObject({
      decision_record: { gate: 'rule', actor: 'rule:all', decision: 'approve' },
      artifact: { name: 'placement_receipt', seller_order_id: expect.stringMatching(/^so_/) },
    })
    // A worker that died after its commit asks again, with the head that it had read before.
    expect(await byRules(before)).toEqual(after)
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('is left to people for good by a rule that holds', async () => {
    await approval('rules')
    await put([{ id: 'look', when: {}, then: 'hold' }])
    const orderId = await market.parked()
    expect(await step(orderId)).toMatchObject({ status: 'seller_review', last_seq: 3, gate_due: null })
    await put([{ id: 'all', when: {}, then: 'reject' }])
    expect(await step(orderId)).toMatchObject({ status: 'seller_review', last_seq: 3 })
    const reply = await decideOrder(market, orderId, { decision: 'approve' })
    expect(reply.body).toMatchObject({ status: 'placed' })
  })

  it('is left to people when the profile no longer declares rules', async () => {
    await approval('rules')
    await put([{ id: 'all', when: {}, then: 'approve' }])
    const orderId = await market.parked()
    await approval('api')
    expect(await step(orderId)).toMatchObject({ status: 'seller_review', gate_due: null })
  })

  it('stays with people when it was parked for them before the rules existed', async () => {
    await approval('api')
    const orderId = await market.parked()
    await approval('rules')
    expect(await headOf(orderId)).toMatchObject({ status: 'seller_review', gate_due: null })
  })

  it('is decided by the first to answer, and by no one else', async () => {
    await approval('rules')
    await put([{ id: 'all', when: {}, then: 'reject' }])
    const orderId = await market.parked()
    const before = await headOf(orderId)
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect(await byRules(before)).toMatchObject({ status: 'canceled', last_seq: 4 })
  })
})

describe('GET /me/approval-rules: 200', () => {
  it('counts what each rule did in the last 30 days, each order once', async () => {
    await approval('rules')
    const rules = [
      { id: 'counted-reject', when: { max_gross: 10 }, then: 'reject' },
      { id: 'counted-hold', when: { buyers: ['zenith'] }, then: 'hold' },
      { id: 'counted-approve', when: {}, then: 'approve' },
    ]
    await put(rules)
    const began = new Date().toISOString()
    for (let n = 0; n < 2; n += 1) {
      const before = await headOf(await market.parked())
      await Promise.all([byRules(before), byRules(before)])
      await byRules(before)
    }
    await put([{ id: 'counted-hold', when: {}, then: 'hold' }])
    const held = await headOf(await market.parked())
    await byRules(held)
    await byRules(held)
    await put(rules)
    const { body } = await market.cable.get('/me/approval-rules')
    const unused = { approved: 0, rejected: 0, held: 0, last_used_at: null }
    expect(body.rules.map(({ last_30_days }: { last_30_days: unknown }) => last_30_days)).toEqual([
      unused,
      { ...unused, held: 1, last_used_at: expect.any(String) },
      { ...unused, approved: 2, last_used_at: expect.any(String) },
    ])
    expect(body.rules[2].last_30_days.last_used_at > began).toBe(true)
  })

  it('leaves out what happened before those 30 days', async () => {
    await market.deps.db.pool.query(
      `insert into approval_rule_days (seller, rule_id, day, shard, rejected, last_used_at)
       select 'cable', 'counted-reject', current_date - ago, 0, 1, now() - ago * interval '1 day' from unnest(array[5, 31]) ago`,
    )
    const { body } = await market.cable.get('/me/approval-rules')
    expect(body.rules[0]).toMatchObject({ id: 'counted-reject', last_30_days: { rejected: 1 } })
  })
})
