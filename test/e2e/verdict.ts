import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, Client as Temporal } from '@temporalio/client'
import pg from 'pg'
import type { OrderCreated } from '../../src/contract/createOrder.ts'
import type { OrderEvent } from '../../src/contract/event.ts'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import type { Operations } from '../../src/sdk/ownClient.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { evidenceOf } from './evidence.ts'
import { finalReply } from './persistentClient.ts'
import type { Parties, TrackedOrder } from './traffic.ts'

/** Returns everything that contradicts the replies of clients, as they can see it; empty if nothing was lost or duplicated. */
export async function wrongsSeenByClients(
  { dataDir, market, seller, buyers }: Parties,
  orders: readonly TrackedOrder[],
): Promise<string[]> {
  const wrongs: string[] = []
  await withDatabase(dataDir, (pool) => feedSettled({ pool }))
  const lengths = new Map<string, number>()
  for (const [buyer, asBuyer] of Object.entries(buyers)) {
    const acknowledged = orders.filter((order) => order.buyer === buyer)
    const listed = await orderBook(asBuyer)
    wrongs.push(...differences(`order book of ${buyer}`, new Set(acknowledged.map(({ orderId }) => orderId)), listed))
    for (let from = 0; from < acknowledged.length; from += BATCH) {
      const some = acknowledged.slice(from, from + BATCH)
      wrongs.push(...(await Promise.all(some.map((order) => wrongsOfOrder(asBuyer, order, lengths)))).flat())
    }
    wrongs.push(...(await wrongsOfFeed(asBuyer, buyer, acknowledged, lengths)))
  }
  wrongs.push(...(await wrongsOfFeed(seller, market.seller, orders, lengths)))
  return wrongs
}

const BATCH = 16

async function wrongsOfOrder(asBuyer: Operations, tracked: TrackedOrder, lengths: Map<string, number>): Promise<string[]> {
  const { orderId, body, expected, reply } = tracked
  const { text, headers } = await finalReply(asBuyer.createOrder({ body }))
  const { body: order } = await asBuyer.getOrder({ path: { order_id: orderId } })
  const { body: replay } = await asBuyer.replayEvents({ query: { order: orderId } })
  lengths.set(orderId, replay.events.length)
  const wrongs: string[] = []
  const check = (ok: boolean, what: string) => {
    if (!ok) wrongs.push(`${orderId}: ${what}`)
  }
  const last = replay.events.at(-1)
  check(order.status === expected, `is ${order.status} where ${expected} was expected`)
  check(text === reply && headers.get('x-idempotent-replay') === 'true', 'is not replayed as it was answered')
  check(order.created_at === JSON.parse(reply).created_at, 'was created at another time than the reply says')
  check(replay.events.every(({ seq }, index) => seq === index + 1) && replay.last_seq === replay.events.length, 'has a gap in seq')
  check(order.last_seq === replay.last_seq && order.status === last?.status, 'has a snapshot that is not that of its last event')
  check(chained(replay.events), 'has events that do not follow one another')
  check(replay.events.filter(({ status }) => status === 'placed').length <= 1, 'was placed twice')
  const wasPlaced = replay.events.some(({ status }) => status === 'placed')
  const receipts = order.artifacts.filter(({ name }) => name === 'placement_receipt').length
  check(receipts === (wasPlaced ? 1 : 0), `has ${receipts} receipts`)
  return wrongs
}

/** Returns whether each event begins where the previous one ended, and later. */
function chained(events: readonly OrderEvent[]): boolean {
  return events.every(({ prior_status, occurred_at }, index) => {
    const before = events[index - 1]
    return prior_status === (before?.status ?? null) && (before === undefined || before.occurred_at < occurred_at)
  })
}

async function wrongsOfFeed(
  client: Operations,
  tenant: string,
  orders: readonly TrackedOrder[],
  lengths: ReadonlyMap<string, number>,
): Promise<string[]> {
  const next = new Map(orders.map(({ orderId }) => [orderId, 1]))
  const wrongs: string[] = []
  for (let from = {}; ; ) {
    const { body } = await client.readFeed({ query: { limit: 500, ...from } })
    for (const event of body.events) {
      if (event.event_type !== 'order.status_changed') continue
      const seq = next.get(event.order_id)
      if (event.seq !== seq) wrongs.push(`feed of ${tenant}: ${event.order_id} comes with seq ${event.seq} after ${(seq ?? 0) - 1}`)
      next.set(event.order_id, event.seq + 1)
    }
    if (body.events.length === 0) break
    from = { after: body.next_cursor }
  }
  for (const [orderId, seq] of next)
    if (seq - 1 !== lengths.get(orderId)) wrongs.push(`feed of ${tenant}: ${orderId} ends at seq ${seq - 1} of ${lengths.get(orderId)}`)
  return wrongs
}

async function orderBook(asBuyer: Operations): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = {}; ; ) {
    const { body } = await asBuyer.listOrders({ query: { limit: 200, ...from } })
    for (const { order_id } of body.orders) found.add(order_id)
    if (body.next_cursor === null) return found
    from = { cursor: body.next_cursor }
  }
}

function differences(what: string, acknowledged: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  const lost = [...acknowledged].filter((id) => !found.has(id)).map((id) => `${what}: ${id} was acknowledged and is missing`)
  const strange = [...found].filter((id) => !acknowledged.has(id)).map((id) => `${what}: ${id} was never acknowledged`)
  return [...lost, ...strange]
}

/** Returns the broken promises according to the database; empty if all are kept. */
export async function brokenPromises(dataDir: string, orders: readonly TrackedOrder[]): Promise<string[]> {
  const acknowledged = orders.map(({ orderId, buyer, body, reply }) => ({
    order_id: orderId,
    buyer_entity: buyer,
    external_order_id: (JSON.parse(reply) as OrderCreated).external_order_id,
    body,
  }))
  const violations = await checkInvariants(await postgresUrl(dataDir), acknowledged)
  return violations.map(({ invariant, order_id, problem }) => `${invariant} ${order_id ?? ''}: ${problem}`)
}

/** Waits until nothing moves any more and returns what still does at the deadline; empty once every ended order and its run are closed and nothing waits for relay. */
export async function unfinishedOrders(dataDir: string, orders: readonly TrackedOrder[], withinMs = 30_000): Promise<string[]> {
  const deadline = Date.now() + withinMs
  const parked = orders.filter(({ expected }) => expected === 'seller_review').length
  for (;;) {
    const [{ unclosed, outbox }, open] = await Promise.all([unfinished(dataDir), openRuns(dataDir)])
    if (unclosed.length === 0 && outbox === 0 && open === parked) return []
    if (Date.now() > deadline) {
      const counted = `${unclosed.length} ended orders are not closed, ${outbox} outbox rows wait, ${open} runs are open for ${parked} parked orders`
      return [`${counted}\n${await otherRuns(dataDir)}\n${await evidenceOf(dataDir, unclosed)}`]
    }
    await sleep(200)
  }
}

function unfinished(dataDir: string): Promise<{ unclosed: string[]; outbox: number }> {
  return withDatabase(dataDir, async (pool) => {
    const { rows } = await pool.query(`select (select count(*)::int from outbox) as outbox,
      array(select order_id::text from orders where not closed and status in ('placed', 'canceled', 'rejected', 'failed')) as unclosed`)
    return rows[0]
  })
}

async function withDatabase<T>(dataDir: string, read: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: await postgresUrl(dataDir), max: 1 })
  try {
    return await read(pool)
  } finally {
    await pool.end()
  }
}

/** Leaves out the runs of schedules: one may begin at any full hour and take minutes to retry what failed while the database was away. */
const OPEN = "ExecutionStatus = 'Running' and WorkflowId != 'settlement' and WorkflowId != 'housekeeping'"

function openRuns(dataDir: string): Promise<number> {
  return withTemporal(dataDir, async ({ workflow }) => (await workflow.count(OPEN)).count)
}

/** Returns the open runs that are not of orders, and what sellers have left to reconcile. */
async function otherRuns(dataDir: string): Promise<string> {
  const runs = await withTemporal(dataDir, async ({ workflow }) => {
    const ids: string[] = []
    for await (const { workflowId } of workflow.list({ query: OPEN })) if (!workflowId.startsWith('order:')) ids.push(workflowId)
    return ids
  })
  const due = await withDatabase(dataDir, async (pool) => (await pool.query('select * from reconcile_due limit 5')).rows)
  return `open: ${runs.join(', ')}; to be reconciled: ${JSON.stringify(due)}`
}

async function withTemporal<T>(dataDir: string, read: (client: Temporal) => Promise<T>): Promise<T> {
  const { port } = JSON.parse(await readFile(join(dataDir, 'temporal.json'), 'utf8')) as { port: number }
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` })
  try {
    return await read(new Temporal({ connection }))
  } finally {
    await connection.close()
  }
}
