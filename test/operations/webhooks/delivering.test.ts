import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { verifyWebhook } from '../../../client/src/index.ts'
import type { Received } from '../../support/http/receiver.ts'
import { until } from '../../support/until.ts'
import { TIMES, useDispatcher } from './useDispatcher.ts'

const use = useDispatcher()
const { market, endpointAt, deliver, ping, logOf, endpoint, holdAnswers } = use

const events = (order: string) => use.receiver.received.map(({ body }) => JSON.parse(body)).filter(({ order_id }) => order_id === order)

describe('an event', () => {
  it('comes once, as the bytes of the log, with the id and signature that identify it', async () => {
    const id = await endpointAt(use.receiver.url)
    const order = await market.parked()
    expect(await deliver(id)).toMatchObject({ at: null, waiting: 0 })
    expect(events(order)).toEqual(await market.events(order))
    const [first] = use.receiver.received
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `${order}:1` })
    expect(first?.headers['x-signature']).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
    for (const { status, attempts } of await logOf(id)) {
      expect(status).toBe('delivered')
      expect(attempts).toEqual([{ at: expect.any(String), status_code: 204, latency_ms: expect.any(Number) }])
    }
    await deliver(id)
    expect(use.receiver.received).toHaveLength(3)
  })

  it('of a catalog comes as its reader sees it', async () => {
    const id = await endpointAt(use.receiver.url, { events: ['catalog.rate_card_published'] })
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
    expect(use.receiver.received.map(({ body: text }) => JSON.parse(text))).toMatchObject([
      { event_type: 'catalog.rate_card_published', seller: 'cable', data: { commit: 'again', product_ids: ['prime'] } },
    ])
    expect(use.receiver.received[0]?.headers['webhook-id']).toBe(JSON.parse(use.receiver.received[0]?.body ?? '').event_id)
  })

  it('that fails is tried three times: the same event and bytes, newly signed each time, then dropped', async () => {
    use.receiver.answer((res) => res.writeHead(500).end('a secret of the receiver'))
    const id = await endpointAt(use.receiver.url)
    const sent = await ping(id)
    expect(await deliver(id)).toMatchObject({ at: null, waiting: 0 })
    expect(use.receiver.received).toHaveLength(3)
    expect(new Set(use.receiver.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    const [log] = await logOf(id)
    expect(log).toMatchObject({ delivery_id: sent.delivery_id, status: 'dropped', dropped_reason: 'attempts_failed' })
    expect(log?.attempts.map(({ status_code }) => status_code)).toEqual([500, 500, 500])
    const [first = 0, second = 0, third = 0] = log?.attempts.map(({ at }) => Date.parse(at)) ?? []
    expect(second - first).toBeGreaterThanOrEqual(TIMES.waitsMs[0])
    expect(third - second).toBeGreaterThanOrEqual(TIMES.waitsMs[1])
    expect(JSON.stringify(log)).not.toContain('secret')
    expect(await endpoint(id)).toMatchObject({ status: 'active', failing_since: expect.any(String) })
    use.receiver.answer((res) => res.writeHead(200).end())
    await market.acme.post(`/webhooks/endpoints/${id}/deliveries/${sent.delivery_id}/redeliver`, undefined)
    await deliver(id)
    expect(use.receiver.received.at(-1)?.body).toBe(use.receiver.received[0]?.body)
    expect(await endpoint(id)).not.toHaveProperty('failing_since')
  })

  it('whose last attempt became due while no worker ran is dropped unsent', async () => {
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const at = new Date(Date.now() - 25_000).toISOString()
    await market.deps.db.pool.query(`update deliveries set made = 1, first_at = $2, attempts = $3 where endpoint_id = $1`, [
      id,
      at,
      JSON.stringify([{ at, error: 'reset', latency_ms: 1 }]),
    ])
    await deliver(id)
    expect(use.receiver.received).toEqual([])
    expect(await logOf(id)).toMatchObject([{ status: 'dropped', dropped_reason: 'too_late', attempts: [{ error: 'reset' }] }])
  })

  it('that fails while others were never tried is tried again in its time, before them', async () => {
    const ANSWER_MS = 100
    use.receiver.answer((res) => setTimeout(() => res.writeHead(500).end(), ANSWER_MS))
    const id = await endpointAt(use.receiver.url)
    const sent = new Set<string>()
    while (sent.size < 20) sent.add((await ping(id)).event_id)
    const came = () => use.receiver.received.map(({ headers, at }) => ({ event: headers['webhook-id'], at }))
    const working = deliver(id)
    const repeats = () => came().filter(({ event }, place, all) => all.findIndex((other) => other.event === event) < place)
    await until(() => repeats().length > 0)
    const [again] = repeats()
    const first = came().find(({ event }) => event === again?.event)
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(TIMES.waitsMs[0] + ANSWER_MS / 2)
    expect(came().length).toBeLessThan(sent.size)
    expect(use.receiver.atOnce()).toBeLessThanOrEqual(4)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    await working
  })

  it('is signed by every secret until it expires, after any number of rotations', async () => {
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: use.receiver.url })
    const id = endpoint.endpoint_id
    const rotated = async () => (await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)).body.secret as string
    const secrets = [endpoint.secret, await rotated(), await rotated()]
    await ping(id)
    await deliver(id)
    for (const secret of secrets) await verifyWebhook(use.receiver.received[0] as Received, secret)
    await market.deps.db.pool.query(
      `update webhook_endpoints set previous_secrets = jsonb_set(previous_secrets, '{0,until}', to_jsonb(now())) where endpoint_id = $1`,
      [id],
    )
    await ping(id)
    await deliver(id)
    const signatures = use.receiver.received.map(({ headers }) => String(headers['x-signature']).split(',v1=').length - 1)
    expect(signatures).toEqual([3, 2])
    await expect(verifyWebhook(use.receiver.received[1] as Received, secrets[0] ?? '')).rejects.toThrow('No signature')
  })

  it('is signed anew when it is sent again after a rotation, by both secrets', async () => {
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: use.receiver.url })
    const id = endpoint.endpoint_id
    const { delivery_id } = await ping(id)
    await deliver(id)
    const stampOf = ({ headers }: Received) => Number(/^t=(\d+),/.exec(String(headers['x-signature']))?.[1])
    const [first] = use.receiver.received as [Received]
    const { secret } = (await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)).body
    await until(() => Date.now() / 1_000 > stampOf(first) + 1)
    await market.acme.post(`/webhooks/endpoints/${id}/deliveries/${delivery_id}/redeliver`, undefined)
    await deliver(id)
    const [, again] = use.receiver.received as [Received, Received]
    expect([again.body, stampOf(again) > stampOf(first)]).toEqual([first.body, true])
    for (const one of [endpoint.secret, secret]) await verifyWebhook(again, one)
  })

  it('waits while no secret of its endpoint can be opened, and comes once there is another', async () => {
    const id = await endpointAt(use.receiver.url)
    await market.deps.db.pool.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [id, randomBytes(80)])
    await ping(id)
    const { at, waiting } = await deliver(id)
    expect([Date.parse(at ?? '') > Date.now() + 60_000, waiting, use.receiver.received]).toEqual([true, 1, []])
    expect(await endpoint(id)).toMatchObject({ status: 'active', unreadable_secrets: ['current'] })
    const { body } = await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)
    await deliver(id)
    await verifyWebhook(use.receiver.received[0] as Received, body.secret)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered' }])
  })

  it('reaches a receiver that answers 100 before 204', async () => {
    use.receiver.answer((res) => {
      res.writeContinue()
      res.writeHead(204).end()
    })
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    await deliver(id)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 204 }] }])
  })
})

describe('the order of events', () => {
  it('is kept per order, with four posts at once and no more', async () => {
    // None is answered before four are out, or a while has passed: the first goes alone.
    const held: (() => void)[] = []
    const answerAll = () => {
      for (const answer of held.splice(0)) answer()
    }
    use.receiver.answer((res) => {
      held.push(() => setTimeout(() => res.writeHead(204).end(), Math.random() * 20))
      if (use.receiver.atOnce() === 4) answerAll()
      else setTimeout(answerAll, 300)
    })
    const id = await endpointAt(use.receiver.url)
    const orders = await Promise.all(Array.from({ length: 12 }, () => market.placed()))
    await deliver(id)
    for (const order of orders) expect(events(order).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(use.receiver.received).toHaveLength(48)
    expect(use.receiver.atOnce()).toBe(4)
  })
})

describe('what is committed while a sender is at work', () => {
  it('is sent by it after a wake signal', async () => {
    const answerAll = holdAnswers(0)
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const working = deliver(id)
    await until(() => use.receiver.received.length > 0)
    await ping(id)
    use.dispatcher.wake(id)
    answerAll()
    expect(await working).toEqual({ at: null, waiting: 0, delivered: 2, last_status: 204 })
    expect(use.receiver.received).toHaveLength(2)
  })
})
