import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Client } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { openWebhookDispatcher } from '../../activities/deliveries.ts'
import { openSpool } from '../../src/drops/spool.ts'
import { openLargeOrders } from '../../src/settlement/largeOrders.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { openWorkers, servedQueues } from '../../worker/queues.ts'
import { startRelay } from '../../worker/relayOutbox.ts'
import { runIdOf } from '../../worker/runs.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { devServer } from '../support/engines/temporal.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { SELLER_SECRET, type SellerCall, type SellerReply, type SellerServer, startSellerServer } from '../support/http/sellerServer.ts'
import { type Tenant, WEEKS } from '../support/market.ts'
import { aCard, aCatalog, aProduct, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

let env: TestWorkflowEnvironment
const market = useMarket()
let server: SellerServer
let bundle: Awaited<ReturnType<typeof workflowBundle>>
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  ;[env, bundle] = await Promise.all([devServer(), workflowBundle()])
  server = await startSellerServer(sellerOf)
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
}, 60_000)
market.beforeStop(() => server.stop())
afterAll(() => env.teardown())
beforeEach(() => {
  server.calls.length = 0
  server.reply(sellerOf)
})
afterEach(() => {
  expect(server.calls.flatMap(({ undocumented }) => undocumented ?? [])).toEqual([])
})

/** A seller's API that serves everything. */
const sellerOf: Parameters<SellerServer['reply']>[0] = ({ operation, body }) => {
  if (operation === 'POST /availability') {
    return { status: 200, body: { lines: body.lines.map(({ unit_id }: { unit_id: string }) => ({ unit_id, state: 'available' })) } }
  }
  if (operation.endsWith('/holds')) return { status: 201 }
  return { status: 200, body: { decision: 'approve', actor: 'their system' } }
}
const pull = () => ({ pull: { base_url: server.url, secret_ref: 'pull' } })
const declare = async (more: Record<string, unknown>) => {
  const reply = await market.cable.put('/me/capabilities', { transports: pull(), ...more })
  expect(reply.status).toBe(200)
  return reply.body.conformance_level as number
}
const created = async (more: Record<string, unknown> = {}): Promise<string> => {
  const reply = await market.acme.post('/orders', market.order(more))
  expect([reply.status, reply.text]).toEqual([201, reply.text])
  return reply.body.order_id
}
/** A buyer's ask to hold some prime time. */
const hold = (units = 1) => {
  const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units, spot_length: 30 }]
  return market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 5 })
}
/** Nothing is left to be done for a hold, and its run has closed. */
const endOf = async (holdId: string) => {
  const { pool } = market.deps.db
  await until(async () => (await pool.query('select from holds where hold_id = $1 and closed', [holdId])).rowCount === 1, 60)
  await env.client.workflow.getHandle(`hold:${holdId}`).result()
}
const statusOf = async (orderId: string) => (await market.snapshot(orderId)).status
const comesTo = (orderId: string, status: string, seconds = 15) => until(async () => (await statusOf(orderId)) === status, seconds)
const runOf = (orderId: string) => env.client.workflow.getHandle(runIdOf('order', orderId))
/** Its run has closed: not before the order has come to its end. */
const closes = async (orderId: string, status = 'placed') => {
  await comesTo(orderId, status)
  await runOf(orderId).result()
}
const operations = () => server.calls.map(({ operation }) => operation)

/** Workers and a relay in this process, as `worker/main.ts` puts them together; pauses of seconds pass in hundredths. */
async function startWork(): Promise<() => Promise<void>> {
  const { db, orders: log, objects, drops, outbound, secrets } = market.deps
  const connection = env.nativeConnection
  const dispatcher = openWebhookDispatcher({ db, outbound, secrets })
  const deps = {
    workflowBundle: bundle,
    db,
    log,
    objects,
    drops,
    spool: openSpool(tmpdir()),
    productsPerSeller: 100,
    outbound,
    secrets,
    dispatcher,
    mailSender: undefined,
    largeOrders: openLargeOrders(market.databaseUrl),
    pace: 0.01,
  }
  const workers = await openWorkers({ connection }, servedQueues(deps))
  const running = Promise.all(workers.map((worker) => worker.run()))
  const silent = { info: () => undefined, warn: () => undefined }
  const client = new Client({ connection })
  const relay = startRelay({ db, databaseUrl: market.databaseUrl, connection, client, logger: silent })
  return async () => {
    await relay.stop()
    for (const worker of workers) worker.shutdown()
    await running
  }
}

describe('with a worker at work', () => {
  let stopWork: () => Promise<void>
  beforeAll(async () => {
    stopWork = await startWork()
  })
  afterAll(() => stopWork(), 60_000)

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
      expect(server.calls).toMatchObject([{ operation: 'POST /availability', signed: true, body: { order_id: orderId } }])
      expect(server.calls[0]?.body.lines).toEqual([
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
      expect(server.calls).toMatchObject([{ operation: 'POST /holds', signed: true, body: { hold_id, lines, expires_at } }])
      const orderId = await created({ line_items: [market.line({ hold_id })] })
      await closes(orderId)
      expect(await gateOf(orderId)).toEqual(['pull'])
      expect(operations()).toEqual(['POST /holds', 'POST /availability', 'POST /decisions'])
      expect(server.calls.every(({ signed }) => signed)).toBe(true)
      expect(server.calls[1]?.body.lines).toMatchObject([{ hold_id }])
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

  describe('live availability', () => {
    beforeAll(async () => {
      await declare({ realtime_availability: true })
    })
    const says = (state: string, more: Record<string, unknown> = {}) =>
      server.reply(({ body }) => ({
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
      server.reply(reply)
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
    const isAsked = (orderId: string) => until(() => server.calls.some(({ body }) => body?.order_id === orderId), 15)

    it('is asked again until it is decided, with attempt, last answer and next try in the Temporal UI', async () => {
      await declare({ approval: 'pull' })
      server.reply(() => ({ status: 202 }))
      const orderId = await created()
      await until(() => server.count('GET /decisions') >= 1, 15)
      const waiting = async () => (await pendingOf(orderId)).find(({ nextAttemptScheduleTime }) => nextAttemptScheduleTime)
      let activity: Awaited<ReturnType<typeof waiting>>
      await until(async () => {
        activity = await waiting()
        return activity !== undefined
      })
      expect(activity?.activityType?.name).toBe('askDecision')
      expect(activity?.lastFailure?.applicationFailureInfo?.type).toBe('will_decide_later')
      expect(Number(activity?.attempt)).toBeGreaterThan(1)
      server.reply(sellerOf)
      await runOf(orderId).result()
      expect(await statusOf(orderId)).toBe('placed')
      expect(await market.events(orderId)).toHaveLength(4)
    })

    it('is parked by a bad answer with a stuck reason, until a good one comes', async () => {
      server.reply(() => ({ status: 200, body: { decision: 'perhaps', actor: 'a' } }))
      const orderId = await created()
      await isAsked(orderId)
      await until(async () => (await stuckReason(orderId)) === 'unusable_answer:decision', 15)
      expect(await statusOf(orderId)).toBe('seller_review')
      expect((await market.cable.get(`/me/orders/${orderId}`)).body.waiting_on.stuck_reason).toBe('unusable_answer:decision')
      server.reply(sellerOf)
      await closes(orderId)
      expect(await stuckReason(orderId)).toBeUndefined()
    })

    it('is overdue when its time is over, and asked no more once it is canceled', async () => {
      server.reply(() => ({ status: 202 }))
      const orderId = await created()
      await isAsked(orderId)
      const { pool } = market.deps.db
      await pool.query(`update orders set decide_by = now() + interval '1 second' where order_id = $1`, [orderId])
      await pool.query(`insert into outbox (kind, target) values ('order', $1)`, [orderId])
      const isOverdue = async () => (await runOf(orderId).describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderOverdue) === true
      await until(isOverdue, 15)
      expect(await pendingOf(orderId)).toHaveLength(1)
      await market.acme.post(`/orders/${orderId}/cancel`, {})
      await runOf(orderId).result()
      expect(await pendingOf(orderId)).toEqual([])
    })

    it('at a dead seller holds up nothing of nine healthy ones', async () => {
      const dead = await startSellerServer(() => 'hang')
      const sellers = await Promise.all(Array.from({ length: 10 }, (_, n) => aSeller(`seller-${n}`, n === 0 ? dead.url : server.url)))
      const [sick, ...healthy] = sellers
      const stuck = await Promise.all(Array.from({ length: 12 }, () => sick?.order()))
      await until(() => dead.calls.length >= 4, 15)
      const orders = await Promise.all(healthy.map(({ order }) => order()))
      for (const orderId of orders) await comesTo(orderId, 'placed', 8) // less than one call to the dead seller takes
      expect(dead.count('POST /decisions')).toBe(4)
      for (const orderId of stuck) expect(['submitted', 'validating', 'seller_review']).toContain(await statusOf(orderId ?? ''))
      for (const orderId of stuck) await market.acme.post(`/orders/${orderId}/cancel`, {})
      await dead.stop()
    })
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
      await until(() => server.count('DELETE /holds') === 2, 15)
      expect(
        server.calls
          .filter(({ method }) => method === 'DELETE')
          .map(({ path }) => path)
          .sort(),
      ).toEqual([`/holds/${released}`, `/holds/${expired}`].sort())
      expect(server.calls.every(({ signed }) => signed)).toBe(true)
      for (const holdId of [released, expired]) await endOf(holdId)
      expect((await market.acme.get(`/holds/${expired}`)).body.status).toBe('expired')
    })

    it('is refused when the seller refuses, and there is no such hold then', async () => {
      server.reply(() => ({ status: 409 }))
      const reply = await hold()
      expect([reply.status, reply.body.error_code]).toEqual([409, 'INVENTORY_UNAVAILABLE'])
      const { rows } = await market.deps.db.pool.query(`select status, hold_id from holds order by created_at desc limit 1`)
      expect(rows[0].status).toBe('refused')
      expect((await market.acme.get(`/holds/${rows[0].hold_id}`)).status).toBe(404)
    })

    it('is UNAVAILABLE when the seller does not answer, and the seller is notified of the end', async () => {
      server.reply(({ method }) => (method === 'POST' ? 'reset' : { status: 204 }))
      const reply = await hold()
      expect([reply.status, reply.body.error_code]).toEqual([503, 'UNAVAILABLE'])
      await until(() => server.count('DELETE /holds') === 1, 15)
    })
  })

  /** A seller with a pull connection and one product, and a buyer's order with it. */
  async function aSeller(name: string, base_url: string): Promise<{ order(): Promise<string> }> {
    const seller = market.tenant((await issueCredential(market.deps.db, { entity: name, side: 'seller', kind: 'test' })).token)
    await seller.put('/me/secrets/pull', { value: SELLER_SECRET })
    await seller.put('/me/capabilities', { transports: { pull: { base_url, secret_ref: 'pull', max_concurrent: 4 } }, approval: 'pull' })
    await seller.put('/me/catalog', aCatalog(aProduct('prime')))
    await seller.put('/me/rate-cards', aCard(`card-${name}`, [aRate('prime')], { effective: { start: '2030-06-03', end: '2030-06-09' } }))
    const { entries } = (await seller.get(`/me/rate-cards/card-${name}`)).body
    const line_items = [market.line({}, { locked_rate_id: entries[0].locked_rate_id })]
    return { order: () => created({ seller: name, rate_version: `card-${name}`, line_items }) }
  }
})

describe('a worker that dies or hangs in the middle of a call', () => {
  const workers = workerProcesses()
  afterAll(workers.kill)
  const startWorker = () =>
    workers.start({
      DATABASE_URL: market.databaseUrl,
      TEMPORAL_ADDRESS: env.address,
      SECRETS_KEY: market.secretsKey.toString('base64'),
      ALLOW_LOOPBACK_TARGETS: 'true',
    })

  it('neither loses a decision nor makes a second one, in any call', async () => {
    await declare({ approval: 'pull', realtime_availability: true, holds: true })
    // One order in each call that there is, and a hold that is over.
    const [asked, polled] = [await created(), await created()]
    await market.deps.db.pool.query('insert into remote_asks (order_id, accepted, asks, asked_at) values ($1, true, 1, now())', [polled])
    const { hold_id } = (await hold()).body
    await market.acme.delete(`/holds/${hold_id}`)
    server.calls.length = 0
    const checked: string[] = []
    const hanging: Readonly<Record<string, readonly string[]>> = {
      'POST /decisions': [asked],
      'GET /decisions': [polled],
      'DELETE /holds': [hold_id],
      'POST /availability': checked,
    }
    const open: { call: SellerCall; answer: (reply: SellerReply) => void }[] = []
    server.reply((call) => {
      const about = String(call.body?.order_id ?? call.path.split('/')[2])
      return hanging[call.operation]?.includes(about) ? new Promise((answer) => open.push({ call, answer })) : sellerOf(call)
    })
    const isOpen = (about: string) => open.some(({ call }) => call.text.includes(about) || call.path.includes(about))
    // Availability comes last, in a new request: it is asked for three seconds only.
    const everyCall = async () => {
      await until(() => [asked, polled, hold_id].every(isOpen), 40)
      const orderId = await created()
      checked.push(orderId)
      await until(() => isOpen(orderId), 40)
    }

    const killed = await startWorker()
    await everyCall()
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    open.length = 0

    const paused = await startWorker()
    await everyCall()
    paused.kill('SIGSTOP')
    // Its heartbeats are missing: Temporal assumes that nothing works on these any more.
    const inside = [asked, polled, checked[1] as string].map(runOf)
    const attempts = () => Promise.all(inside.map(async (run) => Number(((await run.describe()).raw.pendingActivities ?? [])[0]?.attempt)))
    const before = await attempts()
    await until(async () => (await attempts()).every((attempt, n) => attempt > (before[n] ?? 0)), 30)
    server.reply(sellerOf)
    for (const { call, answer } of open) answer(sellerOf(call) as SellerReply) // which nobody waits for any more
    paused.kill('SIGCONT')

    const all = [asked, polled, ...checked]
    for (const orderId of all) {
      await comesTo(orderId, 'placed', 60)
      expect((await market.events(orderId)).map(({ status }) => status)).toEqual(['submitted', 'validating', 'seller_review', 'placed'])
    }
    await Promise.all([...all.map((orderId) => runOf(orderId).result()), endOf(hold_id)])
    paused.kill('SIGTERM')
    await once(paused, 'exit')
    for (const orderId of all) expect(await market.events(orderId)).toHaveLength(4)
    const idsOf = (operation: string, about: string) =>
      new Set(
        server.calls.flatMap(({ headers, ...call }) =>
          call.operation === operation && call.text.includes(about) ? headers['webhook-id'] : [],
        ),
      )
    expect(idsOf('POST /decisions', asked)).toEqual(new Set([`${asked}:decision`]))
    for (const orderId of checked) expect(idsOf('POST /availability', orderId)).toEqual(new Set([`${orderId}:availability`]))
  }, 150_000)
})
