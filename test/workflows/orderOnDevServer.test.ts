import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { readHead } from '../../src/store/orders/orderHead.ts'
import { outboxNotifier } from '../../src/store/orders/outbox.ts'
import { startRelay } from '../../worker/relayOutbox.ts'
import { runIdOf } from '../../worker/runs.ts'
import { isTemporalCloud, registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { devServer } from '../support/engines/temporal.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/useDatabase.ts'
import { insertOrder, moveOrder, rowActivities } from './orderRows.ts'

let env: TestWorkflowEnvironment
const db = useDatabase()
let bundle: Awaited<ReturnType<typeof workflowBundle>>

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await devServer({ longHistory: 60 })
  bundle = await workflowBundle()
}, 60_000)

db.beforeStop(() => env.teardown())

const silent = { info: () => undefined, warn: () => undefined }

/** A worker and a relay in this process, as `worker/main.ts` puts them together, while `test` runs. */
async function atWork(test: () => Promise<void>, options: { maxCachedWorkflows?: number } = {}): Promise<void> {
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: QUEUES.orders,
    workflowBundle: bundle,
    activities: rowActivities(db.pool),
    ...options,
  })
  const client = new Client({ connection: env.nativeConnection })
  const relay = startRelay({
    db,
    databaseUrl: db.url,
    connection: env.nativeConnection,
    client,
    startsEagerly: true,
    countTasks: async () => 0,
    logger: silent,
  })
  try {
    await worker.runUntil(test)
  } finally {
    await relay.stop()
  }
}

const notify = () => outboxNotifier(db.pool).notify()
const runOf = (orderId: string) => env.client.workflow.getHandle(runIdOf('order', orderId))
const status = async (orderId: string) => (await readHead(db, orderId))?.status
const closed = (orderId: string) => until(async () => (await readHead(db, orderId))?.closed === true)
const parked = (orderId: string) => until(async () => (await status(orderId)) === 'seller_review')
/** The database knows an order as parked a moment before Temporal does. */
const inReview = (orderId: string) => shows(orderId, 'seller_review')
const shows = (orderId: string, word: string) =>
  until(async () => {
    const run = await runOf(orderId)
      .describe()
      .catch(() => undefined)
    return run?.typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus) === word
  })

async function eventsOf(orderId: string): Promise<number[]> {
  const { events } = await runOf(orderId).fetchHistory()
  return (events ?? []).map(({ eventType }) => eventType ?? 0)
}

const ACTIVITY_TASK_SCHEDULED = 10

describe('an order on the engine', () => {
  it('goes from the outbox to its end in fifteen events and without a normal activity', () =>
    atWork(async () => {
      const order = await insertOrder(db.pool)
      notify()
      await inReview(order)
      const shown = (await runOf(order).describe()).typedSearchAttributes
      expect(shown.get(ORDER_ATTRIBUTES.OrderSeller)).toBe('seller_one')
      expect(shown.get(ORDER_ATTRIBUTES.OrderBuyer)).toBe('buyer_one')
      expect(shown.get(ORDER_ATTRIBUTES.OrderWorkflow)).toBe('catalog')
      expect(shown.get(ORDER_ATTRIBUTES.OrderParkedSince)).toBeInstanceOf(Date)
      expect(shown.get(ORDER_ATTRIBUTES.OrderDecideBy)).toBeInstanceOf(Date)

      await moveOrder(db.pool, order, 'placed')
      notify()
      await runOf(order).result()
      const events = await eventsOf(order)
      expect(events).toHaveLength(15)
      expect(events).not.toContain(ACTIVITY_TASK_SCHEDULED)
      const after = (await runOf(order).describe()).typedSearchAttributes
      expect(after.get(ORDER_ATTRIBUTES.OrderStatus)).toBe('placed')
      expect(after.get(ORDER_ATTRIBUTES.OrderDecideBy)).toBeUndefined()
      await until(async () => (await db.pool.query('select from outbox')).rowCount === 0)
    }))

  it('continues when its run was terminated and it is decided', () =>
    atWork(async () => {
      const order = await insertOrder(db.pool)
      notify()
      await inReview(order)
      await runOf(order).terminate()
      await moveOrder(db.pool, order, 'rejected')
      notify()
      await closed(order)
      await runOf(order).result()
    }))

  it('is found by the sweep when neither run nor outbox row is left', async () => {
    const order = await insertOrder(db.pool, { due_at: new Date(Date.now() - 120_000).toISOString() })
    await db.pool.query('delete from outbox')
    await atWork(() => parked(order)) // a relay sweeps when it starts
  })

  // One order at a time: the SDK drops a run whose step is still running when another run needs its place, and the task times out.
  it('is the same with a worker that remembers nothing', () =>
    atWork(
      async () => {
        for (let orders = 0; orders < 3; orders += 1) {
          const order = await insertOrder(db.pool)
          notify()
          await inReview(order)
          await moveOrder(db.pool, order, 'canceled')
          notify()
          await runOf(order).result()
        }
      },
      { maxCachedWorkflows: 0 },
    ))

  it('continues in a new run when the history of its run has grown long', () =>
    atWork(async () => {
      const order = await insertOrder(db.pool)
      notify()
      await inReview(order)
      const { runId } = await runOf(order).describe()
      await until(async () => {
        await runOf(order).signal(wake)
        return (await runOf(order).describe()).runId !== runId
      }, 30)
      await inReview(order)
      await moveOrder(db.pool, order, 'placed')
      notify()
      await runOf(order).result()
      await shows(order, 'placed')
    }))

  it('that closed before its wake came is not started again', () =>
    atWork(async () => {
      const order = await insertOrder(db.pool)
      notify()
      await inReview(order)
      await moveOrder(db.pool, order, 'placed')
      notify()
      await runOf(order).result()
      const { runId } = await runOf(order).describe()
      await db.pool.query(`insert into outbox (kind, target) values ('order', $1)`, [order])
      notify()
      await until(async () => (await db.pool.query('select from outbox')).rowCount === 0)
      expect((await runOf(order).describe()).runId).toBe(runId)
    }))
})

describe('the search attributes', () => {
  it('are known to the server already, so that registering them does nothing', async () => {
    expect(await registerSearchAttributes(env.nativeConnection, 'default')).toBeUndefined()
  })

  it('log how to add them when the worker lacks the permission', async () => {
    const refused = Object.assign(new Error('refused'), { code: 7, details: '', metadata: {} })
    const operatorService = { listSearchAttributes: () => Promise.reject(refused), addSearchAttributes: () => Promise.reject(refused) }
    const workflowService = { countWorkflowExecutions: () => Promise.reject(refused) }
    const connection = { operatorService, workflowService } as never
    const advice = await registerSearchAttributes(connection, 'orders')
    expect(advice).toContain('temporal operator search-attribute create --namespace orders --name OrderStatus --type Keyword')
    const cloud = await registerSearchAttributes(connection, 'orders.a1b2c', { isCloud: true })
    expect(cloud).toContain('tcld namespace search-attributes add --namespace orders.a1b2c --search-attribute OrderStatus=Keyword')
  })

  it('tell Temporal Cloud by its address or by an API key', () => {
    const none = { apiKey: undefined }
    expect(isTemporalCloud('marketplace.a1b2c.tmprl.cloud:7233', none)).toBe(true)
    expect(isTemporalCloud('eu-west-1.aws.api.temporal.io:7233', none)).toBe(true)
    expect(isTemporalCloud('temporal.example.com:7233', { apiKey: { key: 'a key' } })).toBe(true)
    expect(isTemporalCloud('temporal.example.com:7233', none)).toBe(false)
  })
})

describe('the worker process', () => {
  const workers = workerProcesses()
  afterAll(workers.kill)
  const startWorker = () => workers.start({ DATABASE_URL: db.url, TEMPORAL_ADDRESS: env.address })

  it.each(['SIGTERM', 'disconnect'] as const)(
    'stops by itself on %s',
    async (why) => {
      const child = await startWorker()
      if (why === 'disconnect') child.disconnect()
      else child.kill(why)
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
    },
    60_000,
  )

  it('waits at its start for a database that is away, and says so', async () => {
    const { hostname, port } = new URL(db.url)
    const forward = (socket: Socket) => {
      const database = connect(Number(port), hostname)
      for (const [one, other] of [[socket, database] as const, [database, socket] as const])
        one.on('error', () => other.destroy()).pipe(other)
    }
    let serve = (socket: Socket): void => {
      socket.destroy()
    }
    const way = createServer((socket) => serve(socket)).listen(0, '127.0.0.1')
    await once(way, 'listening')
    const url = Object.assign(new URL(db.url), { hostname: '127.0.0.1', port: String((way.address() as AddressInfo).port) })
    const said: unknown[] = []
    const started = workers.start({ DATABASE_URL: url.href, TEMPORAL_ADDRESS: env.address, LOG_LEVEL: 'warn' }, ({ msg }) => said.push(msg))
    await until(() => said.includes('the database cannot be reached yet; trying again'), 60)
    serve = forward
    const child = await started
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    way.close()
  }, 120_000)
})
