import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { Client, type WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { openWorkers, servedQueues } from '../../worker/queues.ts'
import { startRelay } from '../../worker/relayOutbox.ts'
import { runIdOf } from '../../worker/runs.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { devServer } from '../support/engines/temporal.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../support/http/sellerServer.ts'
import type { Market, TenantReply } from '../support/market.ts'
import { queueDeps } from '../support/queueDeps.ts'
import { until } from '../support/until.ts'
import { type Used, useMarket } from '../support/useMarket.ts'

/** A market in which cable has an API of its own, on a Temporal server. */
export interface SellerCalls {
  readonly market: Market & Used
  readonly env: TestWorkflowEnvironment
  /** The API of cable. */
  readonly server: SellerServer
  /** Declares capabilities of cable beside its API; returns the conformance level. */
  declare(more: Record<string, unknown>): Promise<number>
  /** An order that the buyer has placed with cable, unless `more` says otherwise. */
  created(more?: Record<string, unknown>): Promise<string>
  /** A buyer's request to hold some prime time. */
  hold(units?: number): Promise<TenantReply>
  /** Nothing is left to be done for a hold, and its run has closed. */
  endOf(holdId: string): Promise<void>
  statusOf(orderId: string): Promise<string>
  comesTo(orderId: string, status: string, seconds?: number): Promise<void>
  runOf(orderId: string): WorkflowHandle
  /** Its run has closed: not before the order has come to its end. */
  closes(orderId: string, status?: string): Promise<void>
  /** What cable's API was asked, in order. */
  operations(): string[]
}

type More = (market: Market & Used) => Partial<Parameters<typeof servedQueues>[0]>

/** A seller's API that serves everything. */
export const servesEverything: Parameters<SellerServer['reply']>[0] = ({ operation, body }) => {
  if (operation === 'POST /availability') {
    return { status: 200, body: { lines: body.lines.map(({ unit_id }: { unit_id: string }) => ({ unit_id, state: 'available' })) } }
  }
  if (operation.endsWith('/holds')) return { status: 201 }
  return { status: 200, body: { decision: 'approve', actor: 'their system' } }
}

/**
 * For the tests of a file; with workers in this process unless `atWork` is false, which have what `more` returns in place of what they would have.
 * After each test, cable's API was asked only what is documented.
 */
export function useSellerCalls({ atWork = true, more = () => ({}) }: { atWork?: boolean; more?: More } = {}): SellerCalls {
  const market = useMarket()
  const use = { market } as SellerCalls & { env: TestWorkflowEnvironment; server: SellerServer }
  let stopWork = async () => undefined as unknown
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    use.env = await devServer()
    use.server = await startSellerServer(servesEverything)
    await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
    if (atWork) stopWork = await startWork(use, more(market))
  }, 60_000)
  market.beforeStop(() => use.server.stop())
  market.beforeStop(() => stopWork())
  afterAll(() => use.env.teardown())
  beforeEach(() => {
    use.server.calls.length = 0
    use.server.reply(servesEverything)
  })
  afterEach(() => {
    expect(use.server.calls.flatMap(({ undocumented }) => undocumented ?? [])).toEqual([])
  })
  const statusOf = async (orderId: string) => (await market.snapshot(orderId)).status
  const comesTo: SellerCalls['comesTo'] = (orderId, status, seconds) => until(async () => (await statusOf(orderId)) === status, seconds)
  const runOf = (orderId: string) => use.env.client.workflow.getHandle(runIdOf('order', orderId))
  return Object.assign(use, {
    declare: async (more: Record<string, unknown>) => {
      const pull = { base_url: use.server.url, secret_ref: 'pull' }
      const reply = await market.cable.put('/me/capabilities', { transports: { pull }, ...more })
      expect(reply.status).toBe(200)
      return reply.body.conformance_level as number
    },
    created: async (more: Record<string, unknown> = {}) => {
      const reply = await market.acme.post('/orders', market.order(more))
      expect([reply.status, reply.text]).toEqual([201, reply.text])
      return reply.body.order_id as string
    },
    hold: (units = 1) => {
      const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units, spot_length: 30 }]
      return market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 5 })
    },
    endOf: async (holdId: string) => {
      const { pool } = market.deps.db
      await until(async () => (await pool.query('select from holds where hold_id = $1 and closed', [holdId])).rowCount === 1, 60)
      await use.env.client.workflow.getHandle(`hold:${holdId}`).result()
    },
    statusOf,
    comesTo,
    runOf,
    closes: async (orderId: string, status = 'placed') => {
      await comesTo(orderId, status)
      await runOf(orderId).result()
    },
    operations: () => use.server.calls.map(({ operation }) => operation),
  })
}

/** Workers and a relay in this process, as `worker/main.ts` puts them together; pauses of seconds pass in hundredths. */
async function startWork({ market, env }: Pick<SellerCalls, 'market' | 'env'>, more: ReturnType<More>): Promise<() => Promise<void>> {
  const { db } = market.deps
  const { nativeConnection: connection, namespace = 'default' } = env
  const deps = { workflowBundle: await workflowBundle(), ...queueDeps(market), pace: 0.01, ...more }
  const workers = await openWorkers({ connection, namespace }, servedQueues(deps))
  const running = Promise.all(workers.map((worker) => worker.run()))
  const client = new Client({ connection, namespace })
  const silent = { info: () => undefined, warn: () => undefined }
  const relay = startRelay({
    db,
    databaseUrl: market.databaseUrl,
    connection,
    client,
    startsEagerly: true,
    countTasks: async () => 0,
    logger: silent,
  })
  return async () => {
    await relay.stop()
    for (const worker of workers) worker.shutdown()
    await running
  }
}
