import { setImmediate as pause } from 'node:timers/promises'
import { type Channel, Connection } from 'rabbitmq-client'
import type { QueueFailure } from '../../contract/vocabulary.ts'
import { DELIVERY_ATTEMPTS, DELIVERY_TIMES } from '../../metrics/work.ts'
import { BrokerFault, codeOf, faultOf, reasonOf } from './brokerFault.ts'
import { declareTenantQueue, openChannel, type TenantQueue } from './tenantQueue.ts'

/** An event to publish to a queue. Messages with the same `chain` arrive in the order given. */
export interface QueueMessage {
  readonly messageId: string
  readonly routingKey: string
  readonly chain: string
  /** JSON text, sent unchanged. */
  readonly body: string
}

/** The right to publish, held by one process. The broker grants it to another process only after it has closed this connection. */
export interface PublisherSeat {
  /** Resolves with the reason when the connection ends. */
  readonly lost: Promise<QueueFailure>
  /** Publishes to a tenant's queue, creating it if missing. Resolves once the broker has stored every message. Errors: BrokerFault. */
  publish(names: TenantQueue, messages: readonly QueueMessage[]): Promise<void>
  leave(): void
}

/** Connects and takes the seat; undefined if another process holds it. Errors: BrokerFault, immediately if `stopping` aborts. */
export async function takePublisherSeat(amqpUrl: string, stopping: AbortSignal): Promise<PublisherSeat | undefined> {
  const connection = new Connection({
    url: amqpUrl,
    connectionName: `order-marketplace publisher ${process.pid}`,
    heartbeat: HEARTBEAT_S,
    connectionTimeout: CONNECT_MS,
    acquireTimeout: CONNECT_MS,
  })
  // The library reconnects on its own. The seat ends with the connection, so the connection is destroyed and the caller starts over.
  const lost = new Promise<QueueFailure>((resolve) => {
    connection.on('error', (error) => {
      resolve(reasonOf(error))
      connection.unsafeDestroy()
    })
  })
  const giveUp = () => connection.unsafeDestroy()
  stopping.addEventListener('abort', giveUp)
  try {
    await Promise.race([sit(connection), lost.then((reason) => Promise.reject(new BrokerFault(reason)))])
  } catch (error) {
    connection.unsafeDestroy()
    if (codeOf(error) === 'RESOURCE_LOCKED') return undefined
    throw faultOf(error)
  } finally {
    stopping.removeEventListener('abort', giveUp)
  }
  const channels = new Map<string, Channel>()
  /** Ids that the broker confirmed from batches that failed in part. They are not published again while this process holds the seat. */
  const confirmed = new Map<string, Set<string>>()
  return {
    lost,
    async publish(names, messages) {
      try {
        const channel = channels.get(names.queue) ?? (await openQueue(connection, names))
        channels.set(names.queue, channel)
        const done = confirmed.get(names.queue) ?? new Set()
        confirmed.set(names.queue, done)
        const published = DELIVERY_TIMES.startTimer({ kind: 'queue' })
        await publishAll(channel, names.exchange, messages, done)
        published()
        DELIVERY_ATTEMPTS.inc({ kind: 'queue', outcome: 'confirmed' }, messages.length)
        confirmed.delete(names.queue)
      } catch (error) {
        // The next publish declares the queue again, since the queue may be gone.
        channels
          .get(names.queue)
          ?.close()
          .catch(() => undefined)
        channels.delete(names.queue)
        const fault = faultOf(error)
        DELIVERY_ATTEMPTS.inc({ kind: 'queue', outcome: fault.reason })
        throw fault
      }
    },
    leave: () => connection.unsafeDestroy(),
  }
}

/** A process that hangs or loses its network loses the seat after two missed heartbeats. */
const HEARTBEAT_S = 10
const CONNECT_MS = 5_000

/** The seat is an exclusive queue: the broker deletes it with its connection and allows no other connection the same name. */
async function sit(connection: Connection): Promise<void> {
  const channel = await openChannel(connection)
  await channel.queueDeclare({ queue: 'marketplace-publisher', exclusive: true })
}

async function openQueue(connection: Connection, names: TenantQueue): Promise<Channel> {
  const channel = await declareTenantQueue(connection, names)
  await channel.confirmSelect()
  return channel
}

/** Each chain waits for a confirmation before it sends the next message, so a later message cannot overtake one that was lost. */
async function publishAll(channel: Channel, exchange: string, messages: readonly QueueMessage[], done: Set<string>): Promise<void> {
  const chains = new Map<string, QueueMessage[]>()
  for (const message of messages) {
    if (done.has(message.messageId)) continue
    const chain = chains.get(message.chain)
    if (chain === undefined) chains.set(message.chain, [message])
    else chain.push(message)
  }
  let unroutable = false
  const onReturn = () => {
    unroutable = true
  }
  channel.on('basic.return', onReturn)
  const publishChain = async (chain: readonly QueueMessage[]): Promise<void> => {
    for (const { messageId, routingKey, body } of chain) {
      const envelope = { exchange, routingKey, messageId, type: routingKey, appId: 'order-marketplace', contentType: 'application/json' }
      await channel.basicPublish({ ...envelope, durable: true, mandatory: true }, Buffer.from(body))
      await pause() // the broker confirms an unroutable message before the library emits its return
      if (unroutable) return
      done.add(messageId)
    }
  }
  try {
    const published = await Promise.allSettled([...chains.values()].map(publishChain))
    const failed = published.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    if (unroutable) throw new BrokerFault('unroutable')
  } finally {
    channel.removeListener('basic.return', onReturn)
  }
}
