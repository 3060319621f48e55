import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { type DeliveryState, openWebhookDispatcher, type WebhookDispatcher } from '../../activities/deliveries.ts'
import { createOutboundClient } from '../../src/adapters/outboundCall.ts'
import type { Delivery } from '../../src/contract/webhook.ts'
import { verifyWebhook } from '../../src/verifyWebhook.ts'
import { type Received, type Receiver, startReceiver } from '../support/http/receiver.ts'
import { selfSigned } from '../support/http/selfSigned.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let dispatcher: WebhookDispatcher
const outbound = createOutboundClient({ allowLoopback: true })
beforeAll(async () => {
  dispatcher = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound })
})
market.beforeStop(async () => {
  await outbound.close()
})

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  receiver.close()
  const { items } = (await market.acme.get('/webhooks/endpoints')).body
  for (const { endpoint_id } of items) await market.acme.delete(`/webhooks/endpoints/${endpoint_id}`)
})

async function endpointAt(url: string, more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await market.acme.post('/webhooks/endpoints', { url, ...more })
  return body.endpoint_id
}
const deliver = (endpointId: string) =>
  new MockActivityEnvironment().run(dispatcher.activities.deliver, endpointId) as Promise<DeliveryState>
const ping = async (endpointId: string): Promise<Delivery> =>
  (await market.acme.post(`/webhooks/endpoints/${endpointId}/test`, undefined)).body
const logOf = async (endpointId: string): Promise<Delivery[]> =>
  (await market.acme.get(`/webhooks/endpoints/${endpointId}/deliveries?limit=200`)).body.items.reverse()
const endpoint = async (endpointId: string) => (await market.acme.get(`/webhooks/endpoints/${endpointId}`)).body
/** What the relay does with what lies in the outbox. */
const relayed = async (endpointId: string) => {
  const { rowCount } = await market.deps.db.pool.query(`delete from outbox where kind = 'endpoint' and target = $1`, [endpointId])
  if (rowCount !== 0) dispatcher.wake(endpointId)
}
/** Keeps every post waiting until the function that it returns is called, and from then on for `afterwardsMs`. */
const holdAnswers = (afterwardsMs: number) => {
  const held: (() => void)[] = []
  receiver.answer((res) => held.push(() => res.writeHead(204).end()))
  return () => {
    receiver.answer((res) => setTimeout(() => res.writeHead(204).end(), afterwardsMs))
    for (const answer of held) answer()
  }
}
const events = (endpointId: string, order: string) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ order_id }) => order_id === order && endpointId !== '')

describe('an event', () => {
  it('comes once, as the bytes of the log, with the id and signature that identify it', async () => {
    const id = await endpointAt(receiver.url)
    const order = await market.parked()
    expect(await deliver(id)).toEqual({ at: null, waiting: 0 })
    expect(events(id, order)).toEqual(await market.events(order))
    const [first] = receiver.received
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `${order}:1` })
    expect(first?.headers['x-signature']).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
    for (const { status, attempts } of await logOf(id)) {
      expect(status).toBe('delivered')
      expect(attempts).toEqual([{ at: expect.any(String), status_code: 204, latency_ms: expect.any(Number) }])
    }
    await deliver(id)
    expect(receiver.received).toHaveLength(3)
  })

  it('of a catalog comes as its reader sees it', async () => {
    const id = await endpointAt(receiver.url, { events: ['catalog.rate_card_published'] })
    const rates = [{ ...(market.line().rate as object), product_id: 'prime', spot_length: 30, gross_rate_unit: 1250.5 }]
    const entries = rates.map(({ product_id, spot_length, gross_rate_unit, ...rate }) => {
      const { market_class, advertiser_class, buy_type } = rate as Record<string, unknown>
      return { product_id, spot_length, gross_rate_unit, market_class, advertiser_class, buy_type }
    })
    const { body } = await market.cable.put('/me/rate-cards', {
      commit: 'again',
      effective: { start: '2030-06-03', end: '2030-06-09' },
      entries,
    })
    expect(body).toMatchObject({ rejected: 0 })
    await market.created() // no order event passes its filter
    await deliver(id)
    expect(receiver.received.map(({ body: text }) => JSON.parse(text))).toMatchObject([
      { event_type: 'catalog.rate_card_published', seller: 'cable', data: { commit: 'again', product_ids: ['prime'] } },
    ])
    expect(receiver.received[0]?.headers['webhook-id']).toBe(JSON.parse(receiver.received[0]?.body ?? '').event_id)
  })

  it('that fails is tried three times: the same event and bytes, newly signed each time, then dropped', async () => {
    receiver.answer((res) => res.writeHead(500).end('a secret of the receiver'))
    const id = await endpointAt(receiver.url)
    const sent = await ping(id)
    expect(await deliver(id)).toEqual({ at: null, waiting: 0 })
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    const [log] = await logOf(id)
    expect(log).toMatchObject({ delivery_id: sent.delivery_id, status: 'dropped', dropped_reason: 'attempts_failed' })
    expect(log?.attempts.map(({ status_code }) => status_code)).toEqual([500, 500, 500])
    const [first = 0, second = 0, third = 0] = log?.attempts.map(({ at }) => Date.parse(at)) ?? []
    for (const [waited, least] of [
      [second - first, 2_000],
      [third - second, 8_000],
    ] as const) {
      expect(waited).toBeGreaterThanOrEqual(least)
      expect(waited).toBeLessThan(least + 1_000 + 4_000) // up to a second of chance, and what a busy machine adds
    }
    expect(JSON.stringify(log)).not.toContain('secret')
    expect(await endpoint(id)).toMatchObject({ status: 'active', failing_since: expect.any(String) })
    receiver.answer((res) => res.writeHead(200).end())
    await market.acme.post(`/webhooks/endpoints/${id}/deliveries/${sent.delivery_id}/redeliver`, undefined)
    await deliver(id)
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body)
    expect(await endpoint(id)).not.toHaveProperty('failing_since')
  })

  it('whose last attempt became due while no worker ran is dropped unsent', async () => {
    const id = await endpointAt(receiver.url)
    await ping(id)
    const at = new Date(Date.now() - 25_000).toISOString()
    await market.deps.db.pool.query(`update deliveries set made = 1, first_at = $2, attempts = $3 where endpoint_id = $1`, [
      id,
      at,
      JSON.stringify([{ at, error: 'reset', latency_ms: 1 }]),
    ])
    await deliver(id)
    expect(receiver.received).toEqual([])
    expect(await logOf(id)).toMatchObject([{ status: 'dropped', dropped_reason: 'too_late', attempts: [{ error: 'reset' }] }])
  })

  it('that fails while others were never tried is tried again in its time, before them', async () => {
    receiver.answer((res) => setTimeout(() => res.writeHead(500).end(), 400))
    const id = await endpointAt(receiver.url)
    const sent = new Set<string>()
    while (sent.size < 20) sent.add((await ping(id)).event_id)
    const came = () => receiver.received.map(({ headers, at }) => ({ event: headers['webhook-id'], at }))
    const working = deliver(id)
    const repeats = () => came().filter(({ event }, place, all) => all.findIndex((other) => other.event === event) < place)
    while (repeats().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const [again] = repeats()
    const first = came().find(({ event }) => event === again?.event)
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(2_300)
    expect(came().length).toBeLessThan(sent.size)
    expect(receiver.atOnce()).toBeLessThanOrEqual(4)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    await working
  })

  it('is signed by every secret until it expires, after any number of rotations', async () => {
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: receiver.url })
    const id = endpoint.endpoint_id
    const rotated = async () => (await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)).body.secret as string
    const secrets = [endpoint.secret, await rotated(), await rotated()]
    await ping(id)
    await deliver(id)
    for (const secret of secrets) verifyWebhook(receiver.received[0] as Received, secret)
    await market.deps.db.pool.query(
      `update webhook_endpoints set previous_secrets = jsonb_set(previous_secrets, '{0,until}', to_jsonb(now())) where endpoint_id = $1`,
      [id],
    )
    await ping(id)
    await deliver(id)
    const signatures = receiver.received.map(({ headers }) => String(headers['x-signature']).split(',v1=').length - 1)
    expect(signatures).toEqual([3, 2])
    expect(() => verifyWebhook(receiver.received[1] as Received, secrets[0])).toThrow('No signature')
  })

  it('waits while no secret of its endpoint can be opened, and comes once there is another', async () => {
    const id = await endpointAt(receiver.url)
    await market.deps.db.pool.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [id, randomBytes(80)])
    await ping(id)
    const { at, waiting } = await deliver(id)
    expect([Date.parse(at ?? '') > Date.now() + 60_000, waiting, receiver.received]).toEqual([true, 1, []])
    expect(await endpoint(id)).toMatchObject({ status: 'active', unreadable_secrets: ['current'] })
    const { body } = await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)
    await deliver(id)
    verifyWebhook(receiver.received[0] as Received, body.secret)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered' }])
  })

  it('reaches a receiver that answers 100 before 204', async () => {
    receiver.answer((res) => {
      res.writeContinue()
      res.writeHead(204).end()
    })
    const id = await endpointAt(receiver.url)
    await ping(id)
    await deliver(id)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 204 }] }])
  })
})

describe('the order of events', () => {
  it('is kept per order, with four posts at once and no more', async () => {
    receiver.answer((res) => setTimeout(() => res.writeHead(204).end(), Math.random() * 20))
    const id = await endpointAt(receiver.url)
    const orders = await Promise.all(Array.from({ length: 12 }, () => market.placed()))
    await deliver(id)
    for (const order of orders) expect(events(id, order).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(receiver.received).toHaveLength(48)
    expect(receiver.atOnce()).toBe(4)
  })
})

describe('what is committed while a sender is at work', () => {
  it('is sent by it after a wake signal', async () => {
    const id = await endpointAt(receiver.url)
    await ping(id)
    const working = deliver(id)
    while (receiver.received.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    await ping(id)
    expect(dispatcher.wake(id)).toBe(true)
    expect(await working).toEqual({ at: null, waiting: 0 })
    expect(receiver.received).toHaveLength(2)
    expect(dispatcher.wake(id)).toBe(false)
  })
})

describe('an endpoint', () => {
  it('that answers 410 is disabled, and what waits for it is dropped', async () => {
    receiver.answer((res) => res.writeHead(410).end())
    const id = await endpointAt(receiver.url)
    await market.parked()
    expect(await deliver(id)).toEqual({ at: null, waiting: 0 })
    expect(await endpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    const log = await logOf(id)
    expect(log).toHaveLength(3)
    for (const { status, attempts, dropped_reason } of log)
      expect([status, dropped_reason]).toEqual(['dropped', attempts.length === 0 ? 'endpoint_disabled' : 'gone'])
    expect(log[0]?.attempts).toMatchObject([{ status_code: 410 }])
    const before = receiver.received.length
    await market.created()
    await deliver(id)
    expect(receiver.received).toHaveLength(before)
  })

  it('that did nothing but fail for five days is disabled, and says so', async () => {
    receiver.answer((res) => res.writeHead(503).end())
    const id = await endpointAt(receiver.url)
    await market.deps.db.pool.query(`update webhook_endpoints set failing_since = now() - interval '5 days' where endpoint_id = $1`, [id])
    await ping(id)
    await deliver(id)
    expect((await market.acme.get('/webhooks/endpoints')).body.items).toMatchObject([
      { endpoint_id: id, status: 'disabled', disabled_reason: 'failing_for_five_days', failing_since: expect.any(String) },
    ])
  })

  it('that is deleted while it is being sent to gets no more', async () => {
    const answerAll = holdAnswers(30)
    const id = await endpointAt(receiver.url)
    await market.placed()
    const working = deliver(id)
    await until(() => receiver.received.length > 0)
    await relayed(id)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    await relayed(id)
    answerAll()
    await working
    expect(receiver.received.length).toBeLessThan(4)
  })

  it('gets no more of what another process was sending when it was deleted', async () => {
    const answerAll = holdAnswers(300)
    const id = await endpointAt(receiver.url)
    await Promise.all(Array.from({ length: 30 }, () => ping(id)))
    const working = deliver(id)
    await until(() => receiver.received.length > 0)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    answerAll()
    await working
    expect(receiver.received.length).toBeLessThan(28)
  })

  it('keeps in its log what came of a post that was under way when another was answered 410', async () => {
    let answered = 0
    receiver.answer((res) => {
      answered += 1
      if (answered === 1)
        res.writeHead(204).end() // from then on four at once
      else if (answered === 2) res.writeHead(410).end()
      else setTimeout(() => res.writeHead(204).end(), 200)
    })
    const id = await endpointAt(receiver.url)
    for (let sent = 0; sent < 4; sent += 1) await ping(id)
    await deliver(id)
    const log = await logOf(id)
    expect(log.map(({ status, attempts }) => [status, attempts[0]?.status_code])).toEqual([
      ['delivered', 204],
      ['dropped', 410],
      ['delivered', 204],
      ['delivered', 204],
    ])
    expect(await endpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  })
})

describe('receivers that do wrong', () => {
  it('hold one permit each when many fall silent at once, so that another waits for none of them', async () => {
    const silent = await startReceiver()
    silent.answer(() => undefined)
    const ids = await Promise.all(Array.from({ length: 20 }, () => endpointAt(silent.url)))
    for (let orders = 0; orders < 4; orders += 1) await market.created()
    const working = ids.map(deliver)
    while (silent.received.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 5))
    const good = await endpointAt(receiver.url)
    await ping(good)
    await deliver(good)
    expect(receiver.received).toHaveLength(1)
    expect(silent.atOnce()).toBe(ids.length) // of four events each
    await Promise.all(ids.map((id) => market.acme.delete(`/webhooks/endpoints/${id}`)))
    silent.close()
    await Promise.all(working)
  })

  it('leave their slots to others when slots run short, and get the rest of their attempts from those for slow ones', async () => {
    const crowded = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound }, { slots: 1 })
    const run = (activity: WebhookDispatcher['activities']['deliver'], id: string) =>
      new MockActivityEnvironment().run(activity, id) as Promise<DeliveryState>
    receiver.answer((res) => setTimeout(() => res.writeHead(500).end(), 1_200))
    const id = await endpointAt(receiver.url)
    await ping(id)
    const left = await run(crowded.activities.deliver, id)
    expect(left).toEqual({ at: expect.any(String), waiting: 1, slow: true })
    expect((await logOf(id))[0]?.attempts).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, Date.parse(left.at ?? '') - Date.now()))
    expect(await run(crowded.activities.deliverToSlow, id)).toEqual({ at: null, waiting: 0 })
    expect(await logOf(id)).toMatchObject([{ status: 'dropped', dropped_reason: 'attempts_failed', attempts: [{}, {}, {}] }])
  })

  it('are distinguished in the log, are retried, and delay no other', async () => {
    const closing: (() => void)[] = []
    const listen = (server: ReturnType<typeof createTcpServer>) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
        closing.push(() => server.close())
      })
    const http = async (answer: Parameters<typeof createServer>[1]) => {
      const server = createServer(answer)
      closing.unshift(() => server.closeAllConnections())
      return `http://127.0.0.1:${await listen(server)}/`
    }
    const inner = await startReceiver()
    closing.push(inner.close)
    const WRONG: [string, Partial<Delivery['attempts'][number]>][] = [
      [await http(() => undefined), { error: 'timeout' }],
      [
        await http((_req, res) => {
          const drip = setInterval(() => res.socket?.write('x'), 50)
          res.on('close', () => clearInterval(drip))
        }),
        { error: 'protocol' },
      ],
      [await http((req) => req.socket.resetAndDestroy()), { error: 'reset' }],
      [await http((_req, res) => res.writeHead(302, { location: inner.url }).end()), { status_code: 302 }],
      [await http((_req, res) => res.writeHead(500).end()), { status_code: 500 }],
      [await http((_req, res) => res.writeHead(404).end('x'.repeat(10_000_000))), { status_code: 404 }],
      [`https://127.0.0.1:${await listen(createTlsServer(await selfSigned('localhost'), (_req, res) => res.end()))}/`, { error: 'tls' }],
      ['http://127.0.0.1:1/', { error: 'connect' }],
    ]
    const ids = await Promise.all(WRONG.map(([url]) => endpointAt(url)))
    const good = await endpointAt(receiver.url)
    await market.created()
    const working = Promise.all([...ids, good].map(deliver))
    await until(async () => (await Promise.all(ids.map(logOf))).every(([delivery]) => (delivery?.attempts.length ?? 0) > 0), 20)
    const ends = new Map<string, number>()
    for (const [index, id] of ids.entries()) {
      const [delivery] = await logOf(id)
      expect([index, delivery?.status, delivery?.attempts[0]]).toEqual([
        index,
        'pending',
        { at: expect.any(String), latency_ms: expect.any(Number), ...WRONG[index]?.[1] },
      ])
      const [attempt] = delivery?.attempts ?? []
      ends.set(id, Date.parse(attempt?.at ?? '') + (attempt?.latency_ms ?? 0))
    }
    expect(inner.received).toEqual([])
    const [delivered] = await logOf(good)
    expect(delivered?.status).toBe('delivered')
    expect(receiver.received[0]?.at).toBeLessThan(ends.get(ids[0] ?? '') ?? 0)
    for (const close of closing) close()
    for (const id of ids) {
      await market.acme.delete(`/webhooks/endpoints/${id}`)
      dispatcher.wake(id)
    }
    await working
  })
})
