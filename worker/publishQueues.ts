import { setTimeout as sleep } from 'node:timers/promises'
import { type PublisherSeat, type QueueMessage, takePublisherSeat } from '../src/adapters/queue/broker.ts'
import { BrokerFault } from '../src/adapters/queue/brokerFault.ts'
import type { EventFeed } from '../src/contract/event.ts'
import type { QueueFailure } from '../src/contract/vocabulary.ts'
import { queueNames } from '../src/domain/events/queueNames.ts'
import type { Database } from '../src/store/connection/database.ts'
import { readFeed } from '../src/store/delivery/feed.ts'
import { advanceDelivery, type DueQueue, dueQueues, noteFailure } from '../src/store/delivery/queueDeliveries.ts'
import { aborted } from './aborted.ts'

export interface QueuePublisher {
  /** Stops publishing. The next publisher publishes unconfirmed events again. */
  stop(): Promise<void>
}

interface QueuePublisherDeps {
  db: Database
  amqpUrl: string
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
  /** The pause between two attempts to get the publisher's seat or to reach the broker. */
  seatMs?: number
  /** How long a tenant is skipped after its queue accepted nothing; the others continue. */
  restMs?: number
}

/**
 * Publishes the feeds of tenants with queue delivery to their queues. Several may run: the broker admits one of them, and another takes over
 * when its connection ends. A tenant's place moves on only when the broker has confirmed, so nothing is lost, and what is published
 * twice has the same message id.
 */
export function startQueuePublisher({ db, amqpUrl, logger, seatMs = SEAT_MS, restMs = REST_MS }: QueuePublisherDeps): QueuePublisher {
  const stopping = new AbortController()
  let reported: QueueFailure | undefined
  const failed = async (reason: QueueFailure): Promise<void> => {
    if (reported !== reason) logger.warn('nothing can be published to message queues; what waits is kept', { reason })
    reported = reason
    await noteFailure(db.pool, reason).catch(() => undefined)
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const seat = await takePublisherSeat(amqpUrl, stopping.signal)
        if (seat !== undefined) {
          logger.info('this worker publishes to message queues')
          reported = undefined
          const reason = await publishWhileSeated(db, seat, { restMs, stopping: stopping.signal })
          if (reason !== undefined) await failed(reason)
        }
      } catch (error) {
        if (!stopping.signal.aborted) await failed(error instanceof BrokerFault ? error.reason : 'failed')
      }
      await sleep(seatMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

const SEAT_MS = 1_000
const LOOK_MS = 200
const PAGE = 500
const REST_MS = 2_000
/** Tenants served concurrently. A queue that never confirms keeps one slot and must not take up those of others. */
const MAX_CONCURRENT = 64

/** Publishes until the seat is lost, and then returns the reason, or until `stopping`. */
async function publishWhileSeated(
  db: Database,
  seat: PublisherSeat,
  { restMs, stopping }: { restMs: number; stopping: AbortSignal },
): Promise<QueueFailure | undefined> {
  const busy = new Map<string, Promise<void>>()
  const resting = new Set<string>()
  let over: { reason?: QueueFailure } | undefined
  const ended = Promise.race([seat.lost, aborted(stopping)]).then((reason) => {
    over = reason === undefined ? {} : { reason }
  })
  const carry = async (delivery: DueQueue): Promise<void> => {
    try {
      await publishFeed(db, seat, delivery, () => over !== undefined)
    } catch (error) {
      if (over !== undefined) return
      await noteFailure(db.pool, error instanceof BrokerFault ? error.reason : 'failed', delivery.tenant).catch(() => undefined)
      resting.add(delivery.tenant)
      setTimeout(() => resting.delete(delivery.tenant), restMs).unref()
    }
  }
  while (over === undefined) {
    const due = busy.size < MAX_CONCURRENT ? await dueQueues(db.pool, [...busy.keys(), ...resting]).catch(() => []) : []
    for (const delivery of due.slice(0, MAX_CONCURRENT - busy.size)) {
      busy.set(
        delivery.tenant,
        carry(delivery).finally(() => busy.delete(delivery.tenant)),
      )
    }
    await Promise.race([sleep(LOOK_MS), ended])
  }
  seat.leave()
  await Promise.all(busy.values())
  return over.reason
}

/** Publishes a tenant's feed page by page to its end, or until somebody else moves its position. */
async function publishFeed(db: Database, seat: PublisherSeat, delivery: DueQueue, isOver: () => boolean): Promise<void> {
  const { tenant } = delivery
  for (let at = delivery.at; !isOver(); ) {
    const { events, last } = await readFeed(db, tenant, at, delivery, PAGE)
    if (last.txid === at.txid && last.position === at.position) return
    if (events.length > 0) await seat.publish(queueNames(tenant), events.map(messageOf))
    if (!(await advanceDelivery(db.pool, tenant, at, last))) return
    at = last
  }
}

/** Builds a message. `order_id:seq` permanently identifies an event of an order, and the event_id any other (choices, Queue delivery). */
function messageOf(body: string): QueueMessage {
  const event = JSON.parse(body) as EventFeed['events'][number]
  const isOfOrder = event.event_type === 'order.status_changed'
  const messageId = isOfOrder ? `${event.order_id}:${event.seq}` : event.event_id
  return { messageId, routingKey: event.event_type, chain: isOfOrder ? event.order_id : event.event_id, body }
}
