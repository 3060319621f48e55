import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import type { Delivery } from '../../../src/contract/webhook.ts'
import { openWebhookDispatcher } from '../../../src/operations/webhooks/dispatcher.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { selfSigned } from '../../support/http/selfSigned.ts'
import { until } from '../../support/until.ts'
import { deliverAll, STAYS_MS, TIMES, useDispatcher } from './useDispatcher.ts'

const use = useDispatcher()
const { market, outbound, endpointAt, deliver, ping, logOf, endpoint, relayed, holdAnswers } = use

describe('an endpoint', () => {
  it('that answers 410 is disabled, and what waits for it is dropped', async () => {
    use.receiver.answer((res) => res.writeHead(410).end())
    const id = await endpointAt(use.receiver.url)
    await market.parked()
    expect(await deliver(id)).toMatchObject({ at: null, waiting: 0 })
    expect(await endpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    const log = await logOf(id)
    expect(log).toHaveLength(3)
    for (const { status, attempts, dropped_reason } of log)
      expect([status, dropped_reason]).toEqual(['dropped', attempts.length === 0 ? 'endpoint_disabled' : 'gone'])
    expect(log[0]?.attempts).toMatchObject([{ status_code: 410 }])
    const before = use.receiver.received.length
    await market.created()
    await deliver(id)
    expect(use.receiver.received).toHaveLength(before)
  })

  it('that did nothing but fail for five days is disabled, and says so', async () => {
    use.receiver.answer((res) => res.writeHead(503).end())
    const id = await endpointAt(use.receiver.url)
    await market.deps.db.pool.query(`update webhook_endpoints set failing_since = now() - interval '5 days' where endpoint_id = $1`, [id])
    await ping(id)
    await deliver(id)
    expect((await market.acme.get('/webhooks/endpoints')).body.items).toMatchObject([
      { endpoint_id: id, status: 'disabled', disabled_reason: 'failing_for_five_days', failing_since: expect.any(String) },
    ])
  })

  it('that is deleted gets no attempt, neither of what waits nor of what happens later', async () => {
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    await market.created()
    expect(await deliver(id)).toEqual({ at: null, waiting: 0, delivered: 0, last_status: null })
    expect(use.receiver.received).toEqual([])
  })

  it('that is deleted while it is being sent to gets no more', async () => {
    const answerAll = holdAnswers(30)
    const id = await endpointAt(use.receiver.url)
    await market.placed()
    const working = deliver(id)
    await until(() => use.receiver.received.length > 0)
    await relayed(id)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    await relayed(id)
    answerAll()
    await working
    expect(use.receiver.received.length).toBeLessThan(4)
  })

  it('gets no more of what another process was sending when it was deleted', async () => {
    const answerAll = holdAnswers(700)
    const id = await endpointAt(use.receiver.url)
    await Promise.all(Array.from({ length: 30 }, () => ping(id)))
    const working = deliver(id)
    await until(() => use.receiver.received.length > 0)
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    answerAll()
    await working
    expect(use.receiver.received.length).toBeLessThan(28)
  })

  it('keeps in its log what came of a post that was under way when another was answered 410', async () => {
    const id = await endpointAt(use.receiver.url)
    const sent: string[] = []
    while (sent.length < 4) sent.push((await ping(id)).event_id)
    const out = new Map<unknown, ServerResponse>()
    use.receiver.answer((res, { headers }) => {
      if (headers['webhook-id'] === sent[0]) return void res.writeHead(204).end() // from then on four at once
      out.set(headers['webhook-id'], res)
      if (out.size < 3) return
      out.get(sent[1])?.writeHead(410).end()
      for (const late of [sent[2], sent[3]]) setTimeout(() => out.get(late)?.writeHead(204).end(), 200)
    })
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
    await until(() => silent.received.length >= ids.length)
    const good = await endpointAt(use.receiver.url)
    await ping(good)
    await deliver(good)
    expect(use.receiver.received).toHaveLength(1)
    expect(silent.atOnce()).toBe(ids.length) // of four events each
    await Promise.all(ids.map((id) => market.acme.delete(`/webhooks/endpoints/${id}`)))
    silent.close()
    await Promise.all(working)
  })

  it('are distinguished in the log, are retried, and delay no other', async () => {
    const times = { ...TIMES, attemptMs: 2_000 }
    const impatient = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound, times, stayMs: STAYS_MS })
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
    const good = await endpointAt(use.receiver.url)
    await market.created()
    const working = Promise.all([...ids, good].map((id) => deliverAll(impatient, id)))
    await until(async () => (await Promise.all(ids.map(logOf))).every(([delivery]) => (delivery?.attempts.length ?? 0) > 0))
    const ends = new Map<string, number>()
    for (const [index, id] of ids.entries()) {
      const [delivery] = await logOf(id)
      const [attempt, ...more] = delivery?.attempts ?? []
      expect([index, attempt]).toEqual([index, { at: expect.any(String), latency_ms: expect.any(Number), ...WRONG[index]?.[1] }])
      expect(delivery?.status === 'pending' || more.length === 2).toBe(true)
      ends.set(id, Date.parse(attempt?.at ?? '') + (attempt?.latency_ms ?? 0))
    }
    expect(inner.received).toEqual([])
    const [delivered] = await logOf(good)
    expect(delivered?.status).toBe('delivered')
    expect(use.receiver.received[0]?.at).toBeLessThan(ends.get(ids[0] ?? '') ?? 0)
    for (const close of closing) close()
    for (const id of ids) {
      await market.acme.delete(`/webhooks/endpoints/${id}`)
      impatient.wake(id)
    }
    await working
  })
})
