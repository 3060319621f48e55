import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type AsyncMessage, Connection } from 'rabbitmq-client'
import { openQueueBroker, type QueueBroker } from '../../src/adapters/queue/tenantQueue.ts'
import { queueNames } from '../../src/domain/events/queueNames.ts'
import { FEED_START } from '../../src/store/delivery/feed.ts'
import { putQueueDelivery, readQueueDelivery } from '../../src/store/delivery/queueDeliveries.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { operator } from '../../src/store/tenants/securityEvents.ts'
import { type QueuePublisher, startQueuePublisher } from '../../worker/publishQueues.ts'
import { FULL_AUTHORITY } from '../support/access/authority.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { hasRabbit, type Rabbit, startRabbit } from '../support/engines/rabbit.ts'
import { negotiating, slowRound } from '../support/orders/storedOrders.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

if (!hasRabbit) process.stderr.write('publishQueues.test.ts is left out: there is no RabbitMQ here (apt-get install rabbitmq-server).\n')

const said: string[] = []
const logger = { info: (message: string) => void said.push(message), warn: (message: string) => void said.push(message) }
let market: ReturnType<typeof useMarket>
let rabbit: Rabbit
let broker: QueueBroker
let publishers: QueuePublisher[] = []

/** What has arrived for a tenant, in order of arrival; `stop` leaves the rest in the queue. */
function consume(tenant: string) {
  const { queue } = queueNames(tenant)
  const got: AsyncMessage[] = []
  const connection = new Connection({ url: rabbit.url, retryLow: 100, retryHigh: 500 })
  connection.on('error', () => undefined)
  const consumer = connection.createConsumer({ queue, queueOptions: { passive: true }, qos: { prefetchCount: 50 } }, async (message) => {
    got.push(message)
  })
  consumer.on('error', () => undefined)
  return {
    got,
    /** Ids in the order of their first arrival: a receiver drops what it has seen. */
    ids: () => [...new Set(got.map(({ messageId }) => messageId ?? ''))],
    async stop() {
      await consumer.close()
      connection.unsafeDestroy()
    },
  }
}

const start = () => {
  const publisher = startQueuePublisher({ db: market.deps.db, amqpUrl: rabbit.url, logger, seatMs: 100, restMs: 100 })
  publishers.push(publisher)
  return publisher
}
/** Somebody with the broker's own means. */
function anOperator(): Connection {
  const operator = new Connection(rabbit.url)
  operator.on('error', () => undefined)
  return operator
}
const fromTheBeginning = (tenant: string) =>
  putQueueDelivery(market.deps.db, operator(tenant, 'buyer', 'platform'), FULL_AUTHORITY, { events: null, statuses: null }, FEED_START)
const standing = (tenant: string) => readQueueDelivery(market.deps.db.pool, tenant)
const upToDate = (tenant: string) => until(async () => (await standing(tenant))?.up_to_date === true, 30)
/** An order with four events, of a buyer of its own. */
const anOrder = (buyer: string) => negotiating(market.deps.orders, { buyer })
const tenant = async (name: string) => {
  await market.deps.db.pool.query(`insert into tenants (entity, side, name) values ($1, 'buyer', $1) on conflict do nothing`, [name])
  return name
}
const idsOf = (orderId: string, count = 4) => Array.from({ length: count }, (_, index) => `${orderId}:${index + 1}`)

const described = hasRabbit ? describe : describe.skip
described('delivery to queues of a real RabbitMQ', () => {
  beforeAll(async () => {
    rabbit = await startRabbit()
    broker = openQueueBroker(rabbit.url, { longestPauseMs: 100 })
  }, 180_000)
  market = useMarket(() => ({ broker }))
  afterEach(async () => {
    await Promise.all(publishers.map((publisher) => publisher.stop()))
    publishers = []
  })
  afterAll(async () => {
    broker.close()
    await rabbit.remove()
  })

  it('carries what the feed shows: same bodies, routed by type, named order_id:seq, persistent', async () => {
    start()
    expect((await market.acme.put('/events/queue', {})).status).toBe(200)
    const consumer = consume('acme')
    const orderId = await market.placed()
    await until(() => consumer.got.length >= 4, 30)
    expect(consumer.got.map(({ messageId }) => messageId)).toEqual(idsOf(orderId))
    const [first] = consumer.got
    expect(first).toMatchObject({
      routingKey: 'order.status_changed',
      exchange: 'marketplace.acme',
      durable: true,
      contentType: 'application/json',
    })
    expect(consumer.got.map(({ body }) => body)).toEqual(await market.events(orderId))
    await consumer.stop()
    const { body } = await market.acme.get('/events/queue')
    expect(body).toMatchObject({ exchange: 'marketplace.acme', queue: 'marketplace.acme', up_to_date: true, failing: null })
  })

  it('keeps to the filters, names other events by their event_id, and begins after a cursor of the feed', async () => {
    const filter = { events: ['catalog.rate_card_published', 'order.status_changed'], statuses: ['placed'] }
    await market.placed()
    await feedSettled(market.deps.db)
    const query = `events=${filter.events.join(',')}&statuses=placed&limit=500`
    const pages = [(await market.zenith.get(`/events/feed?${query}`)).body, (await market.acme.get(`/events/feed?${query}&wait_s=5`)).body]
    expect((await market.acme.put('/events/queue', { ...filter, after: pages[0].next_cursor })).status).toBe(422)
    expect((await market.acme.put('/events/queue', { ...filter, after: pages[1].next_cursor })).status).toBe(200)
    expect((await market.zenith.put('/events/queue', { ...filter, after: pages[0].next_cursor })).status).toBe(200)
    const orderId = await market.placed()
    start()
    const consumer = consume('acme')
    await until(() => consumer.got.some(({ messageId }) => messageId === `${orderId}:4`), 30)
    expect(new Set(consumer.got.map(({ body }) => body.status))).toEqual(new Set(['placed']))
    await upToDate('zenith')
    await putQueueDelivery(
      market.deps.db,
      operator('zenith', 'buyer', 'platform'),
      FULL_AUTHORITY,
      { events: ['catalog.rate_card_published'], statuses: null },
      FEED_START,
    )
    const notices = consume('zenith')
    await until(() => notices.got.length >= 2, 30)
    for (const { messageId, routingKey, body } of notices.got) {
      expect([messageId, routingKey]).toEqual([body.event_id, 'catalog.rate_card_published'])
    }
    await Promise.all([consumer.stop(), notices.stop()])
  })

  it('loses nothing while the broker is down or killed, nor what it had confirmed, and keeps each order in its seq', async () => {
    const buyer = await tenant('buyer_steadfast')
    const orders = await Promise.all([anOrder(buyer), anOrder(buyer), anOrder(buyer)])
    await fromTheBeginning(buyer)
    start()
    await upToDate(buyer)
    const writing = new AbortController()
    const writers = orders.map(async (orderId) => {
      while (!writing.signal.aborted) await slowRound(market.deps.orders, orderId, 20)
    })
    await sleep(300)
    await rabbit.stop('SIGKILL')
    await until(async () => (await standing(buyer))?.failure === 'broker_unreachable', 30)
    expect((await standing(buyer))?.up_to_date).toBe(false)
    await start().stop() // a worker stops without waiting for a broker that is away
    expect((await market.acme.post('/orders', market.order())).status).toBe(201)
    await rabbit.start()
    await sleep(300)
    writing.abort()
    await Promise.all(writers)
    await upToDate(buyer)
    expect(await standing(buyer)).toMatchObject({ failing_since: null, failure: null })

    const consumer = consume(buyer) // only now: everything was in the queue, over the death of the broker
    const counts = await Promise.all(orders.map(async (orderId) => (await market.deps.orders.load(orderId))?.last_seq ?? 0))
    const all = counts.reduce((sum, count) => sum + count, 0)
    await until(() => consumer.ids().length === all, 30)
    orders.forEach((orderId, index) => {
      expect(consumer.ids().filter((id) => id.startsWith(orderId))).toEqual(idsOf(orderId, counts[index]))
    })
    await consumer.stop()
  }, 240_000)

  it('is published by one worker at a time, and by the next when that one goes', async () => {
    const buyer = await tenant('buyer_two_workers')
    await fromTheBeginning(buyer)
    said.length = 0
    const workers = [start(), start(), start()]
    const seated = () => said.filter((line) => line === 'this worker publishes to message queues').length
    const consumer = consume(buyer)
    const before = await anOrder(buyer)
    await until(() => consumer.got.length === 4, 30)
    expect(seated()).toBe(1)
    // Whichever it is: after two have gone the third has the seat.
    await workers[0]?.stop()
    await workers[1]?.stop()
    const after = await anOrder(buyer)
    await until(() => consumer.ids().length === 8, 30)
    expect(consumer.ids()).toEqual([...idsOf(before), ...idsOf(after)])
    await consumer.stop()
  })

  it('declares a deleted queue again, with the event in it', async () => {
    const buyer = await tenant('buyer_deleted')
    await fromTheBeginning(buyer)
    start()
    await anOrder(buyer)
    await upToDate(buyer)
    const operator = anOperator()
    await operator.queueDelete(queueNames(buyer).queue)
    const orderId = await anOrder(buyer)
    await upToDate(buyer)
    const consumer = consume(buyer)
    await until(() => consumer.ids().length === 4, 30)
    expect(consumer.ids()).toEqual(idsOf(orderId))
    await consumer.stop()
    await operator.close()
  })

  it('waits for a queue that takes no more, and holds up no other tenant', async () => {
    const [full, free] = [await tenant('buyer_full'), await tenant('buyer_free')]
    const operator = anOperator()
    const bounds = { 'x-max-length': 2, 'x-overflow': 'reject-publish' } as const
    await operator.queueDeclare({ queue: queueNames(full).queue, durable: true, arguments: bounds })
    await Promise.all([fromTheBeginning(full), fromTheBeginning(free)])
    start()
    const orderId = await anOrder(full)
    await until(async () => (await standing(full))?.failure === 'rejected', 30)
    const other = await anOrder(free)
    const others = consume(free)
    await until(() => others.ids().length === 4, 30)
    expect(others.ids()).toEqual(idsOf(other))
    const { queue } = queueNames(full)
    const taken: string[] = []
    await until(async () => {
      const message = await operator.basicGet({ queue, noAck: true })
      if (message?.messageId !== undefined) taken.push(message.messageId)
      return taken.length === 4
    }, 30)
    expect(taken).toEqual(idsOf(orderId)) // and what it had taken is not put there again
    await Promise.all([others.stop(), operator.close()])
  })

  it('makes the queue durable before PUT /events/queue answers, so that no consumer can make another', async () => {
    const operator = anOperator()
    const { exchange, queue } = queueNames('station')
    await expect(operator.queueDeclare({ queue, passive: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await until(async () => (await market.station.put('/events/queue', {})).status === 200, 30)
    await operator.queueDeclare({ queue, passive: true })
    await operator.exchangeDeclare({ exchange, passive: true })
    await expect(operator.queueDeclare({ queue })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
    expect((await market.station.put('/events/queue', {})).status).toBe(200)
    await operator.close()
  })

  it('refuses a queue or an exchange of other properties by name, and takes one of another type or with a bound', async () => {
    const operator = anOperator()
    const { exchange, queue } = queueNames('zenith')
    const put = () => market.zenith.put('/events/queue', {})
    for (const [property, wrong] of [
      ['durable', { durable: false }],
      ['auto_delete', { durable: true, autoDelete: true }],
      ['exclusive', { durable: true, exclusive: true }],
    ] as const) {
      await operator.queueDelete(queue)
      await operator.queueDeclare({ queue, ...wrong })
      const { status, body } = await put()
      expect([status, body.error_code, body.details]).toMatchObject([409, 'CONFLICT', { kind: 'queue', name: queue, property }])
      expect(body.error_message).toContain(queue)
    }
    await operator.queueDelete(queue)
    await operator.exchangeDelete({ exchange })
    await operator.exchangeDeclare({ exchange, type: 'fanout', durable: true })
    expect((await put()).body).toMatchObject({ error_code: 'CONFLICT', details: { kind: 'exchange', name: exchange, property: 'type' } })
    await operator.exchangeDelete({ exchange })
    for (const bound of [{ 'x-queue-type': 'quorum' as const }, { 'x-max-length': 5 }]) {
      await operator.queueDelete(queue)
      await operator.queueDeclare({ queue, durable: true, arguments: { ...bound } })
      expect((await put()).status).toBe(200)
    }
    await operator.close()
  })

  it('answers 503 while the broker is away, and 200 when it is back', async () => {
    await rabbit.stop()
    const { status, body, headers } = await market.cable.put('/events/queue', {})
    expect([status, body.error_code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '1'])
    expect((await market.cable.get('/events/queue')).status).toBe(404)
    await rabbit.start()
    await until(async () => (await market.cable.put('/events/queue', {})).status === 200, 30)
  }, 240_000)

  it('keeps what it called up to date over a restart of the broker, read by the consumer that the documentation shows', async () => {
    const { token } = await issueCredential(market.deps.db, { entity: 'buyer_restart', side: 'buyer', kind: 'test' })
    expect((await market.tenant(token).put('/events/queue', {})).status).toBe(200)
    const early = new Connection(rabbit.url)
    await early.createConsumer({ queue: queueNames('buyer_restart').queue, queueOptions: { passive: true } }, () => 1).close()
    await early.close()
    const orderId = await anOrder('buyer_restart')
    expect(await standing('buyer_restart')).toMatchObject({ up_to_date: false }) // nobody publishes yet
    start()
    await upToDate('buyer_restart')
    await rabbit.stop()
    await rabbit.start()
    const consumer = consume('buyer_restart')
    await until(() => consumer.ids().length === 4, 30)
    expect(consumer.ids()).toEqual(idsOf(orderId))
    await consumer.stop()
  }, 240_000)
})
