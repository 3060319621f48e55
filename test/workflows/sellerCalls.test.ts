import { beforeAll, describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../support/http/sellerServer.ts'
import { aCard, aCatalog, aProduct, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { servesEverything, useSellerCalls } from './useSellerCalls.ts'

const use = useSellerCalls()
const { market, declare, created, hold, endOf, statusOf, comesTo, runOf, closes, operations } = use

describe('live availability', () => {
  beforeAll(async () => {
    await declare({ realtime_availability: true })
  })
  const says = (state: string, more: Record<string, unknown> = {}) =>
    use.server.reply(({ body }) => ({
      status: 200,
      body: { lines: body.lines.map(({ unit_id }: { unit_id: string }) => ({ unit_id, state, ...more })) },
    }))

  it('fails the order with INVENTORY_UNAVAILABLE when there is none', async () => {
    says('unavailable')
    const orderId = await created()
    await comesTo(orderId, 'failed')
    expect((await market.events(orderId)).at(-1)).toMatchObject({
      error: { error_code: 'INVENTORY_UNAVAILABLE' },
      units: [{ availability: { state: 'unavailable', basis: 'measured' } }],
    })
  })

  it('outranks what is published', async () => {
    says('available', { basis: 'modelled' })
    const rate = { locked_rate_id: market.price('weekend', '2030-W24'), unit_cost: 99.99 }
    const orderId = await created({
      line_items: [market.line({ product_id: 'weekend', period: { grain: 'week', start: '2030-W24' } }, rate)],
    })
    await comesTo(orderId, 'seller_review')
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ availability: { state: 'available', basis: 'modelled' } }])
  })

  it.each<[string, Parameters<SellerServer['reply']>[0]]>([
    ['hangs', () => 'hang'],
    ['is unwell', () => ({ status: 500 })],
    ['says nothing that can be used', () => ({ status: 200, body: { lines: [{ unit_id: 'unit_other', state: 'unavailable' }] } })],
    [
      'says something twice',
      ({ body }) => ({
        status: 200,
        body: { lines: [body.lines[0], body.lines[0]].map(({ unit_id }) => ({ unit_id, state: 'unavailable' })) },
      }),
    ],
  ])('leaves the published state standing when the server %s', async (how, reply) => {
    use.server.reply(reply)
    const orderId = await created()
    await comesTo(orderId, 'seller_review')
    const [, begun, reviewed] = (await market.events(orderId)).map(({ occurred_at }) => Date.parse(occurred_at as string))
    const waited = (reviewed ?? 0) - (begun ?? 0)
    expect(waited).toBeLessThan(14_000) // three seconds, and what a busy machine adds
    if (how === 'hangs') expect(waited).toBeGreaterThan(2_500)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ availability: { basis: 'modelled' } }])
    expect(operations()).toEqual(['POST /availability'])
  })
})

describe('an order that waits for a seller’s API', () => {
  const pendingOf = async (orderId: string) => (await runOf(orderId).describe()).raw.pendingActivities ?? []
  const stuckReason = async (orderId: string) =>
    (await runOf(orderId).describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStuckReason)
  const isAsked = (orderId: string) => until(() => use.server.calls.some(({ body }) => body?.order_id === orderId))

  it('is asked again until it is decided, with attempt, last answer and next try in the Temporal UI', async () => {
    await declare({ approval: 'pull' })
    use.server.reply(() => ({ status: 202 }))
    const orderId = await created()
    await until(() => use.server.count('GET /decisions') >= 1)
    const waiting = async () => (await pendingOf(orderId)).find(({ nextAttemptScheduleTime }) => nextAttemptScheduleTime)
    let activity: Awaited<ReturnType<typeof waiting>>
    await until(async () => {
      activity = await waiting()
      return activity !== undefined
    })
    expect(activity?.activityType?.name).toBe('askDecision')
    expect(activity?.lastFailure?.applicationFailureInfo?.type).toBe('will_decide_later')
    expect(Number(activity?.attempt)).toBeGreaterThan(1)
    use.server.reply(servesEverything)
    await runOf(orderId).result()
    expect(await statusOf(orderId)).toBe('placed')
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('is parked by a bad answer with a stuck reason, until a good one comes', async () => {
    use.server.reply(() => ({ status: 200, body: { decision: 'perhaps', actor: 'a' } }))
    const orderId = await created()
    await isAsked(orderId)
    await until(async () => (await stuckReason(orderId)) === 'unusable_answer:decision')
    expect(await statusOf(orderId)).toBe('seller_review')
    expect((await market.cable.get(`/me/orders/${orderId}`)).body.waiting_on.stuck_reason).toBe('unusable_answer:decision')
    use.server.reply(servesEverything)
    await closes(orderId)
    expect(await stuckReason(orderId)).toBeUndefined()
  })

  it('is overdue when its time is over, and asked no more once it is canceled', async () => {
    use.server.reply(() => ({ status: 202 }))
    const orderId = await created()
    await isAsked(orderId)
    const { pool } = market.deps.db
    await pool.query(`update orders set decide_by = now() + interval '1 second' where order_id = $1`, [orderId])
    await pool.query(`insert into outbox (kind, target) values ('order', $1)`, [orderId])
    const isOverdue = async () => (await runOf(orderId).describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderOverdue) === true
    await until(isOverdue)
    expect(await pendingOf(orderId)).toHaveLength(1)
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    await runOf(orderId).result()
    expect(await pendingOf(orderId)).toEqual([])
  })

  it('at a dead seller holds up nothing of nine healthy ones', async () => {
    const dead = await startSellerServer(() => 'hang')
    const sick = await aSeller('seller-sick', dead.url)
    const healthy: Awaited<ReturnType<typeof aSeller>>[] = []
    for (let n = 1; n < 10; n += 1) healthy.push(await aSeller(`seller-${n}`, use.server.url))
    const began = performance.now()
    const stuck = await Promise.all(Array.from({ length: 12 }, () => sick.order()))
    await until(() => dead.calls.length >= 4, 60)
    const orders = await Promise.all(healthy.map(({ order }) => order()))
    for (const orderId of orders) await comesTo(orderId, 'placed', 60)
    // Four at a time, each for the ten seconds that a call may take.
    const rounds = Math.floor((performance.now() - began) / 10_000) + 1
    expect(dead.count('POST /decisions')).toBeLessThanOrEqual(4 * rounds)
    for (const orderId of stuck) expect(['submitted', 'validating', 'seller_review']).toContain(await statusOf(orderId))
    for (const orderId of stuck) await market.acme.post(`/orders/${orderId}/cancel`, {})
    await dead.stop()
  }, 180_000)
})

describe('a hold at a seller’s API', () => {
  beforeAll(async () => {
    await declare({ holds: true })
  })

  it('is released there when it is released here, and when its time is over', async () => {
    const [released, expired] = [(await hold()).body.hold_id, (await hold()).body.hold_id]
    await market.deps.db.pool.query(`update holds set expires_at = now() + interval '1 second' where hold_id = $1`, [expired])
    await market.deps.db.pool.query(`insert into outbox (kind, target) values ('hold', $1)`, [expired])
    await market.acme.delete(`/holds/${released}`)
    await until(() => use.server.count('DELETE /holds') === 2)
    expect(
      use.server.calls
        .filter(({ method }) => method === 'DELETE')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([`/holds/${released}`, `/holds/${expired}`].sort())
    expect(use.server.calls.every(({ signed }) => signed)).toBe(true)
    for (const holdId of [released, expired]) await endOf(holdId)
    expect((await market.acme.get(`/holds/${expired}`)).body.status).toBe('expired')
  })

  it('is refused when the seller refuses, and there is no such hold then', async () => {
    use.server.reply(() => ({ status: 409 }))
    const reply = await hold()
    expect([reply.status, reply.body.error_code]).toEqual([409, 'INVENTORY_UNAVAILABLE'])
    const { rows } = await market.deps.db.pool.query(`select status, hold_id from holds order by created_at desc limit 1`)
    expect(rows[0].status).toBe('refused')
    expect((await market.acme.get(`/holds/${rows[0].hold_id}`)).status).toBe(404)
  })

  it('is UNAVAILABLE when the seller does not answer, and the seller is notified of the end', async () => {
    use.server.reply(({ method }) => (method === 'POST' ? 'reset' : { status: 204 }))
    const reply = await hold()
    expect([reply.status, reply.body.error_code]).toEqual([503, 'UNAVAILABLE'])
    await until(() => use.server.count('DELETE /holds') === 1)
  })
})

/** A seller with a pull connection and one product, and a buyer's order with it. */
async function aSeller(name: string, base_url: string): Promise<{ order(): Promise<string> }> {
  const seller = market.tenant((await issueCredential(market.deps.db, { entity: name, side: 'seller', kind: 'test' })).token)
  const put = async (path: string, sent: object) => {
    const { status, text } = await seller.put(path, sent)
    if (status >= 400) throw new Error(text)
  }
  await put('/me/secrets/pull', { value: SELLER_SECRET })
  await put('/me/capabilities', { transports: { pull: { base_url, secret_ref: 'pull', max_concurrent: 4 } }, approval: 'pull' })
  await put('/me/catalog', aCatalog(aProduct('prime')))
  await put('/me/rate-cards', aCard(`card-${name}`, [aRate('prime')], { effective: { start: '2030-06-03', end: '2030-06-09' } }))
  const { entries } = (await seller.get(`/me/rate-cards/card-${name}`)).body
  const line_items = [market.line({}, { locked_rate_id: entries[0].locked_rate_id })]
  return { order: () => created({ seller: name, rate_version: `card-${name}`, line_items }) }
}
