import { setImmediate as pause } from 'node:timers/promises'
import { type Channel, Connection } from 'rabbitmq-client'
import type { QueueFailure } from '../contract/vocabulary.ts'
import { BrokerFault, codeOf, faultOf, reasonOf } from './brokerFault.ts'
import { declareTenantQueue, openChannel, type TenantQueue } from './tenantQueue.ts'

/** An event as it goes to a queue. Those of one `chain` arrive in the order given. */
export interface QueueMessage {
  readonly messageId: string
  readonly routingKey: string
  readonly chain: string
  /** JSON text, sent as it is. */
  readonly body: string
}

/** The one process that publishes. Its seat is the broker's: nobody else gets it before this process's connection is closed there. */
export interface PublisherSeat {
  /** Answers when the connection is over, and why. */
  readonly lost: Promise<QueueFailure>
  /** Puts messages on a tenant's queue, which is made when it is not there; answers when the broker has all of them on its disk. Else a BrokerFault. */
  publish(names: TenantQueue, messages: readonly QueueMessage[]): Promise<void>
  leave(): void
}

/** Connects and takes the seat; undefined when another process has it. Fails with a BrokerFault, at once when `stopping` says so. */
export async function takePublisherSeat(amqpUrl: string, stopping: AbortSignal): Promise<PublisherSeat | undefined> {
  const connection = new Connection({
    url: amqpUrl,
    connectionName: `order-marketplace publisher ${process.pid}`,
    heartbeat: HEARTBEAT_S,
    connectionTimeout: CONNECT_MS,
    acquireTimeout: CONNECT_MS,
  })
  // The library would connect again by itself; the seat is gone with the connection, so that whoever wants it begins anew.
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
  /** Ids that the broker has confirmed of messages that have not all been: not published again while the seat is ours. */
  const confirmed = new Map<string, Set<string>>()
  return {
    lost,
    async publish(names, messages) {
      try {
        const channel = channels.get(names.queue) ?? (await openQueue(connection, names))
        channels.set(names.queue, channel)
        const done = confirmed.get(names.queue) ?? new Set()
        confirmed.set(names.queue, done)
        await publishAll(channel, names.exchange, messages, done)
        confirmed.delete(names.queue)
      } catch (error) {
        // Looked at anew the next time: its queue may be gone.
        channels
          .get(names.queue)
          ?.close()
          .catch(() => undefined)
        channels.delete(names.queue)
        throw faultOf(error)
      }
    },
    leave: () => connection.unsafeDestroy(),
  }
}

/** A process that hangs or is cut off loses its seat after two of these. */
const HEARTBEAT_S = 10
const CONNECT_MS = 5_000

/** An exclusive queue lives and dies with its connection, and no other connection can have one of its name: that is the seat. */
async function sit(connection: Connection): Promise<void> {
  const channel = await openChannel(connection)
  await channel.queueDeclare({ queue: 'marketplace-publisher', exclusive: true })
}

async function openQueue(connection: Connection, names: TenantQueue): Promise<Channel> {
  const channel = await declareTenantQueue(connection, names)
  await channel.confirmSelect()
  return channel
}

/** Every chain waits for each confirmation before it goes on, so that what is refused or lost in the middle cannot be overtaken. */
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
      await pause() // a message that no queue took is confirmed, and returned: the library tells of that a moment later
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
