import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, Connection } from 'rabbitmq-client'
import { BrokerFault, codeOf, faultOf } from './brokerFault.ts'

/** A tenant's exchange and queue on the broker. */
export interface TenantQueue {
  readonly exchange: string
  readonly queue: string
}

/** Declares tenant queues without publishing. */
export interface QueueBroker {
  /**
   * Resolves once the tenant's durable exchange, queue and binding exist on the broker. Errors: BrokerFault, with reason `unsuitable_queue` if
   * one of that name has other properties, or another reason if the broker does not answer in time.
   */
  declare(names: TenantQueue): Promise<void>
  close(): void
}

/** Connects on the first call and reconnects automatically, after pauses that grow. */
export function openQueueBroker(amqpUrl: string, { longestPauseMs = LONGEST_PAUSE_MS } = {}): QueueBroker {
  let connection: Connection | undefined
  const connected = () => {
    if (connection !== undefined) return connection
    connection = new Connection({
      url: amqpUrl,
      connectionName: `order-marketplace queues ${process.pid}`,
      connectionTimeout: ANSWER_MS,
      acquireTimeout: ANSWER_MS,
      retryLow: Math.min(FIRST_PAUSE_MS, longestPauseMs),
      retryHigh: longestPauseMs,
    })
    connection.on('error', () => undefined) // pending calls fail with it
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
/** The pauses before the next attempt to connect. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** The limit of the whole declaration: the library would wait for a silent broker until its heartbeat fails. */
const LONGEST_MS = 6_000

/**
 * Declares a tenant's exchange, queue and binding, and returns the channel. Accepts an existing durable queue with the arguments that an
 * operator gave it (a type, a length limit).
 */
export async function declareTenantQueue(connection: Connection, { exchange, queue }: TenantQueue): Promise<Channel> {
  const asked = await openChannel(connection)
  const isTaken = await asked.queueDeclare({ queue, durable: true }).then(
    () => false,
    (error) => {
      const property = misfitOf(error)
      if (property === undefined) throw error
      if (!property.startsWith('x-')) throw new BrokerFault('unsuitable_queue', error, { kind: 'queue', name: queue, property })
      return true // a failed declare closes the channel
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
  channel.on('error', () => undefined) // the calls on the channel reject too
  return channel
}

/** Returns the broker's name for the property that differs on an existing queue or exchange; undefined for any other error. */
function misfitOf(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === 'RESOURCE_LOCKED') return 'exclusive'
  if (code !== 'PRECONDITION_FAILED') return undefined
  return /inequivalent arg '([^']+)'/.exec((error as Error).message)?.[1] ?? 'other'
}
