import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, Connection } from 'rabbitmq-client'
import { BrokerFault, codeOf, faultOf } from './brokerFault.ts'

/** Where a tenant's events go on the broker. */
export interface TenantQueue {
  readonly exchange: string
  readonly queue: string
}

/** The broker for those who have to know that a queue is there, and publish nothing. */
export interface QueueBroker {
  /**
   * Resolves when the tenant's exchange, queue and binding are on the broker, durable. BrokerFault `unsuitable_queue` when one of that name has
   * other properties, another reason when the broker does not answer in time.
   */
  declare(names: TenantQueue): Promise<void>
  close(): void
}

/** Connects at the first call, and again by itself. */
export function openQueueBroker(amqpUrl: string): QueueBroker {
  let connection: Connection | undefined
  const connected = () => {
    if (connection !== undefined) return connection
    connection = new Connection({
      url: amqpUrl,
      connectionName: `order-marketplace queues ${process.pid}`,
      connectionTimeout: ANSWER_MS,
      acquireTimeout: ANSWER_MS,
    })
    connection.on('error', () => undefined) // whoever calls meanwhile is told
    return connection
  }
  return {
    async declare(names) {
      const declared = declareTenantQueue(connected(), names).then((channel) => channel.close())
      const late = sleep(LONGEST_MS, undefined, { ref: false }).then(() => {
        throw new BrokerFault('broker_unreachable')
      })
      try {
        await Promise.race([declared, late])
      } catch (error) {
        throw faultOf(error)
      }
    },
    close: () => connection?.unsafeDestroy(),
  }
}

const ANSWER_MS = 3_000
/** For all of a declaration: the library waits for a broker that is silent until its heartbeat fails. */
const LONGEST_MS = 6_000

/**
 * A channel on which a tenant's exchange, queue and binding have been declared. A queue that is there and durable is taken with whatever else an
 * operator gave it (a type, a bound).
 */
export async function declareTenantQueue(connection: Connection, { exchange, queue }: TenantQueue): Promise<Channel> {
  const asked = await openChannel(connection)
  const isTaken = await asked.queueDeclare({ queue, durable: true }).then(
    () => false,
    (error) => {
      const property = misfitOf(error)
      if (property === undefined) throw error
      if (!property.startsWith('x-')) throw new BrokerFault('unsuitable_queue', error, { kind: 'queue', name: queue, property })
      return true // a refusal closes the channel
    },
  )
  const channel = isTaken ? await openChannel(connection) : asked
  await channel.exchangeDeclare({ exchange, type: 'topic', durable: true }).catch((error) => {
    const property = misfitOf(error)
    if (property === undefined) throw error
    throw new BrokerFault('unsuitable_queue', error, { kind: 'exchange', name: exchange, property })
  })
  await channel.queueBind({ exchange, queue, routingKey: '#' })
  return channel
}

export async function openChannel(connection: Connection): Promise<Channel> {
  const channel = await connection.acquire({ emitErrorsFromChannel: true })
  channel.on('error', () => undefined) // what was called on it fails as well
  return channel
}

/** The property in which something of the same name differs, in the broker's word; undefined for any other error. */
function misfitOf(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === 'RESOURCE_LOCKED') return 'exclusive'
  if (code !== 'PRECONDITION_FAILED') return undefined
  return /inequivalent arg '([^']+)'/.exec((error as Error).message)?.[1] ?? 'other'
}
