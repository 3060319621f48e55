import { freePort } from '../../src/local/embedded/ports.ts'
import { validateOrder } from '../../src/operations/orders/validateOrder.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import { type Load, sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

/** Commands of one kind in one run, each on an order of its own. */
const COMMANDS = 150

/** An order as the commands need it: its id and its first line. */
interface Parked {
  order_id: string
  unit_id: string
}

interface Command {
  work: string
  /** The most that the ratio may be. */
  goal: number
  /** Orders for the command; parked with their seller, unless said otherwise. */
  orders?: (stage: Stage) => Promise<Parked[]>
  /** Brings an order to where the command is due. */
  prepare?: (stage: Stage, order: Parked) => Promise<void>
  load: (stage: Stage, orders: readonly Parked[]) => Pick<Load, 'token' | 'path' | 'body' | 'status'>
}

const approve = JSON.stringify({ decision: 'approve', actor: 'Ada' })
const counter = ({ unit_id }: Parked) =>
  JSON.stringify({
    decision: 'counter',
    actor: 'Ada',
    units: [{ unit_id, action: 'counter', counter: { week: '2030-W04', unit_cost: 1100 } }],
  })
const decide = ({ tokens }: Stage, orders: readonly Parked[], body: (order: Parked) => string) => ({
  token: tokens.seller,
  path: (index: number) => `/v1/me/orders/${idOf(orders, index)}/decide`,
  body: (index: number) => body(orders[index] as Parked),
  status: 202,
})
const asBuyer = (verb: string, body: object) => (stage: Stage, orders: readonly Parked[]) => ({
  token: stage.tokens.buyer,
  path: (index: number) => `/v1/orders/${idOf(orders, index)}/${verb}`,
  body: () => JSON.stringify(body),
  status: 202,
})

const KINDS: readonly Command[] = [
  { work: 'decide: approve', goal: 2.2, load: (stage, orders) => decide(stage, orders, () => approve) },
  { work: 'decide: counter, with its quote', goal: 3, load: (stage, orders) => decide(stage, orders, counter) },
  { work: 'confirm: book a plan', goal: 2.2, orders: plannedOrders, load: asBuyer('confirm', { action: 'confirm', actor: 'Bo' }) },
  { work: 'respond: accept a counter', goal: 2.2, prepare: countered, load: asBuyer('respond', { action: 'accept' }) },
  { work: 'cancel an order in review', goal: 2.2, load: asBuyer('cancel', {}) },
]

/** P3: one command after the other, each on an order of two lines, by the time of an answer. */
export const commands: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const port = await freePort()
  const nothing = await startProgram('test/bench/nullServer', { DATABASE_URL: stage.databaseUrl, PORT: String(port) })
  const measure = async (server: number, load: Omit<Load, 'method' | 'requests' | 'atOnce'>): Promise<Sample> => {
    let value = 0
    const counters = await counted({ pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }, COMMANDS, async () => {
      value = (await sendLoad({ ...load, method: 'POST', requests: COMMANDS, atOnce: 1 })).p50Ms
    })
    return { value, counters }
  }
  const intake = { path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const rows: Row[] = []
  try {
    for (const { work, goal, orders: ready = parkedOrders, prepare, load } of KINDS) {
      run.onProgress(`P3: ${work}`)
      const paired = await comparePairs({
        ...run,
        ours: async () => {
          const orders = await ready(stage)
          await Promise.all(orders.map((order) => prepare?.(stage, order)))
          return measure(stage.api.pid, { ...load(stage, orders), baseUrl: stage.baseUrl })
        },
        limit: () => measure(nothing.pid, { ...intake, baseUrl: `http://127.0.0.1:${port}` }),
      })
      rows.push({
        id: 'P3',
        work: `${work}; one at a time`,
        against: 'null intake',
        unit: 'ms, p50',
        goal: `ratio <= ${goal.toFixed(1)}`,
        met: paired.ratio <= goal,
        ...paired,
      })
    }
  } finally {
    await nothing.stop()
    await stage.close()
  }
  return rows
}

/** Orders in seller_review. */
function parkedOrders(stage: Stage): Promise<Parked[]> {
  return validated(stage, stage.nextOrder)
}

/** Proposals with a plan of two lines each, which their buyers may confirm. */
async function plannedOrders(stage: Stage): Promise<Parked[]> {
  await stage.seller.putCapabilities({ body: { modes: { catalog: true, proposal: true, document: false } } })
  const orders = await validated(stage, () => {
    const { line_items: _, ...order } = JSON.parse(stage.nextOrder())
    return JSON.stringify({ ...order, request: { request_type: 'specs' } })
  })
  const { line_items } = JSON.parse(stage.nextOrder())
  const plan = { line_items, plan_totals: {}, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
  for (const { order_id } of orders) await stage.seller.planOrder({ path: { order_id }, body: plan })
  return orders
}

/** Orders as the worker, which is not running here, leaves them after validation. */
async function validated(stage: Stage, nextOrder: () => string): Promise<Parked[]> {
  const db = openDatabase(stage.databaseUrl, { max: 2 })
  const log = openOrderLog(db, () => undefined)
  const orders: Parked[] = []
  for (let count = 0; count < COMMANDS; count += 1) {
    const { order_id } = await place(stage.buyer, nextOrder())
    await validateOrder(log, order_id, newId('cmd_'))
    orders.push({ order_id, unit_id: (await log.load(order_id))?.lines[0]?.unit_id ?? '' })
  }
  await db.close()
  return orders
}

async function countered({ seller }: Stage, order: Parked): Promise<void> {
  await seller.decideOrder({ path: { order_id: order.order_id }, body: counter(order) })
}

function idOf(orders: readonly Parked[], index: number): string {
  return orders[index]?.order_id ?? ''
}
