import { Connection, Client as Temporal, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client'
import pg from 'pg'
import { waitingOn } from '../../src/domain/order/snapshot.ts'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import { temporalAddress } from '../../src/local/embedded/temporal.ts'
import { HEAD_COLUMNS } from '../../src/store/orders/orderHead.ts'
import { runIdOf } from '../../worker/runs.ts'

/** Returns evidence of stuck orders: the head of each and whom it waits for, its outbox rows, and the end of its run's history. */
export async function evidenceOf(dataDir: string, orderIds: readonly string[]): Promise<string> {
  const of = (orderId: string) =>
    Promise.all([rowsOf(dataDir, orderId).catch(asText), onTemporal(dataDir, (temporal) => runOf(temporal, orderId)).catch(asText)])
  const all = await Promise.all(orderIds.slice(0, MAX_ORDERS).map(async (orderId) => [orderId, ...(await of(orderId))].join('\n')))
  return all.join('\n\n')
}

const MAX_ORDERS = 3
const LAST_EVENTS = 20

async function rowsOf(dataDir: string, orderId: string): Promise<string> {
  const client = new pg.Client({ connectionString: await postgresUrl(dataDir) })
  await client.connect()
  try {
    const head = await client.query(`select ${HEAD_COLUMNS}, created_at, updated_at, now() from orders where order_id = $1`, [orderId])
    const outbox = await client.query('select * from outbox where target = $1', [orderId])
    const waiting = await client.query('select count(*)::int, min(claimable_at), now() from outbox')
    const [order] = JSON.parse(JSON.stringify(head.rows)) // converts times to text
    const waiting_on = order && waitingOn(order, new Date().toISOString())
    return `head ${JSON.stringify({ ...order, waiting_on })}\noutbox ${JSON.stringify(outbox.rows)} of ${JSON.stringify(waiting.rows[0])}`
  } finally {
    await client.end()
  }
}

async function runOf(temporal: Temporal, orderId: string): Promise<string> {
  const handle = temporal.workflow.getHandle(runIdOf('order', orderId))
  try {
    const { status, historyLength, raw } = await handle.describe()
    const { events = [] } = await handle.fetchHistory()
    const { pendingWorkflowTask, pendingActivities } = raw
    return [
      `run ${status.name}, ${historyLength} events; pending ${JSON.stringify({ pendingWorkflowTask, pendingActivities })}`,
      ...(events ?? []).slice(-LAST_EVENTS).map(lineOf),
    ].join('\n')
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'no run'
    throw error
  }
}

/** Returns an event of a history without its payloads. */
function lineOf(event: History): string {
  const { eventId, eventType, eventTime, ...rest } = JSON.parse(JSON.stringify(event)) // converts enumerations to their names
  const at = new Date(Number(eventTime.seconds) * 1_000 + eventTime.nanos / 1e6).toISOString()
  const [attributes = {}] = Object.entries(rest).flatMap(([name, value]) => (name.endsWith('EventAttributes') ? [value as object] : []))
  const shown = Object.entries(attributes).filter(([name]) => SHOWN.test(name))
  return `${eventId} ${at} ${eventType} ${JSON.stringify(Object.fromEntries(shown))}`
}

type History = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number]
const SHOWN = /^(identity|attempt|taskQueue|timeoutType|cause|failure|signalName|markerName|startToFireTimeout|activityType)$/

async function onTemporal<T>(dataDir: string, work: (temporal: Temporal) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: await temporalAddress(dataDir) })
  try {
    return await work(new Temporal({ connection }))
  } finally {
    await connection.close()
  }
}

function asText(error: unknown): string {
  return String(error)
}
