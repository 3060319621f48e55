import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Asked, askDecision } from '../../../src/operations/pull/askDecision.ts'
import { openSellerPermits, type SellerPermits } from '../../../src/operations/pull/sellerPermits.ts'
import { sweepDue } from '../../../src/store/orders/outbox.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../../support/http/sellerServer.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let server: SellerServer
beforeAll(async () => {
  server = await startSellerServer(approve)
  await declare()
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
})
market.beforeStop(async () => {
  await server.stop()
})
afterEach(() => {
  expect(server.calls.flatMap(({ undocumented }) => undocumented ?? [])).toEqual([])
  server.calls.length = 0
  server.reply(approve)
})

const approve = () => ({ status: 200, body: { decision: 'approve', actor: 'their system' } })
const profile = (more: Record<string, unknown> = {}) => ({
  transports: { pull: { base_url: server.url, secret_ref: 'pull' } },
  approval: 'pull',
  ...more,
})
const declare = (more: Record<string, unknown> = {}) => market.cable.put('/me/capabilities', profile(more))
const sellerPermits = openSellerPermits({ perBuyer: 4, waiting: 4 })
const ask = (orderId: string, { through = sellerPermits, attempt = 1 } = {}): Promise<Asked> => {
  const { db, orders: log, secrets, outbound } = market.deps
  return askDecision({ db, log, secrets, outbound, sellerPermits: through }, orderId, attempt)
}
const asSeller = async (orderId: string) => (await market.cable.get(`/me/orders/${orderId}`)).body
const decideUrl = (orderId: string) => `/me/orders/${orderId}/decide`

describe('an order that comes to a seller under approval: pull', () => {
  it('says so in the event, and waits for its API', async () => {
    const orderId = await market.parked()
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'seller_review', substatus: 'awaiting_remote_decision' })
    expect(await market.snapshot(orderId)).toMatchObject({ substatus: 'awaiting_remote_decision', waiting_on: { party: 'seller' } })
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect(await ask(orderId)).toBe('over')
    expect(server.calls).toEqual([])
  })

  it('is missed by the sweep when its run is lost, long before the deadline', async () => {
    const orderId = await market.parked()
    const { pool } = market.deps.db
    await pool.query('delete from outbox')
    await pool.query(`update orders set due_at = due_at - interval '2 minutes' where order_id = $1`, [orderId])
    await sweepDue(pool)
    expect((await pool.query('select kind from outbox where target = $1', [orderId])).rows).toEqual([{ kind: 'order' }])
  })

  it('stays with that gate, and another with its own, when the profile changes', async () => {
    const pulled = await market.parked()
    await declare({ approval: 'api' })
    const byPeople = await market.parked()
    expect(await ask(pulled)).toMatchObject({ answer: 'pull_not_declared' })
    await declare()
    expect(await ask(byPeople)).toBe('over')
    expect(server.calls).toEqual([])
    expect(await ask(pulled)).toBe('over')
    expect(server.count('POST /decisions')).toBe(1)
  })
})

describe('a decision that comes at once', () => {
  it('is asked for with the body that the seller reads, signed, and decides by the gate pull', async () => {
    const orderId = await market.parked()
    const read = await asSeller(orderId)
    expect(await ask(orderId)).toBe('over')
    const [call] = server.calls
    expect(call).toMatchObject({ operation: 'POST /decisions', path: '/decisions', signed: true, body: read })
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `${orderId}:decision` })
    expect((await market.events(orderId)).at(-1)).toMatchObject({
      status: 'placed',
      prior_status: 'seller_review',
      substatus: null,
      decision_record: { gate: 'pull', actor: 'their system', decision: 'approve' },
    })
  })

  it('may be given line by line, and reject', async () => {
    const orderId = await market.parked({ line_items: [market.line(), market.line()] })
    server.reply(({ body }) => {
      const [first, second] = body.line_items
      const units = [
        { unit_id: first.unit_id, action: 'accept', num_accepted: 4 },
        { unit_id: second.unit_id, action: 'reject' },
      ]
      return { status: 200, body: { decision: 'approve', actor: 'their system', units, seller_order_id: 'S-1' } }
    })
    await ask(orderId)
    const { line_items, artifacts } = await market.snapshot(orderId)
    expect(line_items).toMatchObject([{ num_accepted: 4 }, { status: 'rejected' }])
    expect(artifacts).toMatchObject([{ seller_order_id: 'S-1' }])
  })

  it('is one decision for many simultaneous requests', async () => {
    const orderId = await market.parked()
    await Promise.all([ask(orderId), ask(orderId), ask(orderId)])
    expect(await market.events(orderId)).toHaveLength(4)
    expect(new Set(server.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('comes too late when a person has decided meanwhile', async () => {
    const orderId = await market.parked()
    server.reply(async () => {
      await market.cable.post(decideUrl(orderId), { decision: 'reject', actor: 'Ada' })
      return approve()
    })
    expect(await ask(orderId)).toBe('over')
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'rejected', decision_record: { gate: 'api', actor: 'Ada' } })
  })

  it('is no answer to a counter that a person has made meanwhile', async () => {
    await declare({ negotiation: true })
    const orderId = await market.parked()
    server.reply(async ({ body }) => {
      const units = [{ unit_id: body.line_items[0].unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1000 } }]
      expect((await market.cable.post(decideUrl(orderId), { decision: 'counter', actor: 'Ada', units })).status).toBe(202)
      return approve()
    })
    expect(await ask(orderId)).toBe('over')
    expect((await market.snapshot(orderId)).status).toBe('negotiating')
    await declare()
  })

  it('may counter, for a seller that negotiates', async () => {
    await declare({ negotiation: true })
    const orderId = await market.parked()
    server.reply(({ body }) => {
      const units = [{ unit_id: body.line_items[0].unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1000 } }]
      return { status: 200, body: { decision: 'counter', actor: 'their system', units } }
    })
    expect(await ask(orderId)).toBe('over')
    expect((await market.events(orderId)).at(-1)).toMatchObject({
      status: 'negotiating',
      decision_record: { gate: 'pull', decision: 'counter' },
    })
    await declare()
  })
})

describe('a decision that comes later', () => {
  it('is polled for, at growing intervals, and requested again from a server that has forgotten it', async () => {
    const orderId = await market.parked()
    server.reply(() => ({ status: 202 }))
    expect(await ask(orderId)).toEqual({ answer: 'will_decide_later', failed: false, pause_ms: 30_000 })
    expect(await ask(orderId)).toEqual({ answer: 'will_decide_later', failed: false, pause_ms: 60_000 })
    expect(server.calls[1]).toMatchObject({ operation: 'GET /decisions', path: `/decisions/${orderId}`, signed: true, text: '' })
    server.reply(() => ({ status: 404 }))
    expect(await ask(orderId)).toEqual({ answer: 'unexpected_status_404', failed: true, pause_ms: 120_000 })
    server.reply(approve)
    expect(await ask(orderId)).toBe('over')
    expect(server.calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST'])
    expect((await market.snapshot(orderId)).status).toBe('placed')
  })
})

describe('an answer that cannot be used', () => {
  const unit = (more: Record<string, unknown>) => ({ decision: 'approve', actor: 'a', units: [{ action: 'accept', ...more }] })
  it.each<[string, Parameters<SellerServer['reply']>[0]]>([
    ['unusable_answer:json', () => ({ status: 200, raw: '<html>it works</html>' })],
    ['unusable_answer:json', () => ({ status: 200 })],
    ['unusable_answer:json', () => ({ status: 200, raw: '{"decision":"reject","decision":"approve","actor":"a"}' })],
    ['unusable_answer:json', () => ({ status: 200, raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) })],
    ['unusable_answer:json', () => ({ status: 200, raw: `${'['.repeat(40)}${']'.repeat(40)}` })],
    ['unusable_answer:too_large', () => ({ status: 200, body: { decision: 'approve', actor: 'x'.repeat(1024 * 1024) } })],
    [
      'unusable_answer:encoding',
      () => ({ status: 200, raw: gzipSync('{"decision":"approve","actor":"a"}'), headers: { 'content-encoding': 'gzip' } }),
    ],
    ['unusable_answer:decision', () => ({ status: 200, body: { decision: 'maybe', actor: 'a' } })],
    ['unusable_answer:actor', () => ({ status: 200, body: { decision: 'approve' } })],
    ['unusable_answer:body', () => ({ status: 200, body: [] })],
    ['unusable_answer:units.0.unit_id', () => ({ status: 200, body: unit({ unit_id: 'unit_nothing' }) })],
    [
      'unusable_answer:units.0.num_accepted',
      ({ body }) => ({ status: 200, body: unit({ unit_id: body.line_items[0].unit_id, num_accepted: 11 }) }),
    ],
    ['unexpected_status_204', () => ({ status: 204 })],
    ['unexpected_status_302', () => ({ status: 302, headers: { location: '/elsewhere' } })],
    ['unexpected_status_401', () => ({ status: 401 })],
  ])('parks the order with the reason %s', async (reason, answer) => {
    const orderId = await market.parked()
    server.reply(answer)
    expect(await ask(orderId)).toEqual({ answer: reason, failed: true, pause_ms: 30_000 })
    expect(server.calls).toHaveLength(1)
    const read = await asSeller(orderId)
    expect(read).toMatchObject({ status: 'seller_review', last_seq: 3, waiting_on: { party: 'seller', stuck_reason: reason } })
    expect((await market.acme.get(`/orders/${orderId}`)).body.waiting_on).not.toHaveProperty('stuck_reason')
    // A person can decide all the same, and the reason is gone with the wait.
    expect((await market.cable.post(decideUrl(orderId), { decision: 'approve', actor: 'Ada' })).status).toBe(202)
    expect((await asSeller(orderId)).waiting_on).toBeNull()
  })

  it('is forgotten with the next good one, and wakes the order when the reason changes', async () => {
    const orderId = await market.parked()
    server.reply(() => ({ status: 418 }))
    const woken = async () => (await market.deps.db.pool.query('select from outbox where target = $1', [orderId])).rowCount
    const before = (await woken()) ?? 0
    await ask(orderId)
    await ask(orderId)
    expect(await woken()).toBe(before + 1)
    server.reply(() => ({ status: 202 }))
    await ask(orderId)
    expect(await woken()).toBe(before + 2)
    expect((await asSeller(orderId)).waiting_on).not.toHaveProperty('stuck_reason')
  })
})

describe('no answer', () => {
  it.each<[string, Parameters<SellerServer['reply']>[0]]>([
    ['unreachable:status_503', () => ({ status: 503 })],
    ['unreachable:reset', () => 'reset'],
  ])('is %s, and is told to the seller when it goes on', async (answer, reply) => {
    const orderId = await market.parked()
    server.reply(reply)
    expect(await ask(orderId)).toEqual({ answer, failed: true, pause_ms: 30_000 })
    await ask(orderId)
    expect((await asSeller(orderId)).waiting_on).not.toHaveProperty('stuck_reason')
    await ask(orderId)
    expect((await asSeller(orderId)).waiting_on.stuck_reason).toBe(answer)
    server.reply(approve)
    expect(await ask(orderId)).toBe('over')
  })
})

describe('a seller whose permits are taken', () => {
  it('is not asked: attempts become rarer, and nothing is sent', async () => {
    const orderId = await market.parked()
    const through: SellerPermits = { run: async () => 'permits_taken' }
    const pauses = []
    for (const attempt of [1, 2, 3, 20]) pauses.push(await ask(orderId, { through, attempt }))
    expect(pauses).toEqual([7_500, 15_000, 30_000, 150_000].map((pause_ms) => ({ answer: 'permits_taken', failed: false, pause_ms })))
    expect(server.calls).toEqual([])
    expect((await asSeller(orderId)).waiting_on).not.toHaveProperty('stuck_reason')
  })
})

describe('a call that is not allowed', () => {
  it('is not made without the secret that the profile names', async () => {
    await declare({ transports: { pull: { base_url: server.url, secret_ref: 'lost' } } })
    const orderId = await market.parked()
    expect(await ask(orderId)).toMatchObject({ answer: 'secret_missing' })
    expect((await asSeller(orderId)).waiting_on.stuck_reason).toBe('secret_missing')
    expect(server.calls).toEqual([])
    await declare()
  })

  it.each([
    'ftp://seller.example',
    'http://seller.example',
    'https://10.0.0.7/pull',
    'https://user:pass@seller.example',
    'https://seller.example/?a=b',
  ])('is refused where the profile names it: %s', async (base_url) => {
    const reply = await declare({ transports: { pull: { base_url, secret_ref: 'pull' } } })
    expect([reply.status, reply.body.details.field]).toEqual([422, 'transports.pull.base_url'])
  })

  it.each([{ approval: 'pull' }, { realtime_availability: true }])('contradicts a profile without a pull connection: %j', async (claim) => {
    const reply = await market.cable.put('/me/capabilities', claim)
    expect([reply.status, reply.body.details.field]).toEqual([422, Object.keys(claim)[0]])
  })
})

describe('PUT /me/secrets/{name}', () => {
  it('keeps a secret that nothing ever shows again', async () => {
    const value = 'a secret of plain words'
    const reply = await market.station.put('/me/secrets/pull', { value })
    expect([reply.status, reply.body]).toEqual([200, { name: 'pull' }])
    const { rows } = await market.deps.db.pool.query('select sealed from tenant_secrets')
    expect(rows.some(({ sealed }) => (sealed as Buffer).includes(value))).toBe(false)
  })

  it.each([{}, { value: '' }, { value: 'x'.repeat(1_025) }])('is 422 for %j', async (body) => {
    const reply = await market.station.put('/me/secrets/pull', body)
    expect([reply.status, reply.body.details.field]).toEqual([422, 'value'])
  })
})
