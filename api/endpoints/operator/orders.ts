import type { OpsOrder, OpsOrderQuery, OpsOrderRead, WokenOrder } from '../../../src/contract/ops.ts'
import { findOpsOrder, listOpsEvents, listOpsOrders, wakeOrderRun } from '../../../src/store/ops/opsOrders.ts'
import { recordAct } from '../../../src/store/tenants/securityEvents.ts'
import { actorOf } from '../../http/call.ts'
import type { OperatorHandler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { accepted, ok } from '../../http/reply.ts'
import { noSuchOrder } from '../both/ownOrder.ts'

/** GET /ops/orders. */
export const getOpsOrders: OperatorHandler<undefined, OpsOrderQuery> = async (deps, { query }) => {
  const { cursor, limit, order_id, state, reason } = query
  const now = new Date().toISOString()
  if (order_id !== undefined) {
    const order = await findOpsOrder(deps.db, order_id, now)
    return ok({ items: order === undefined ? [] : [shown(order)], next_cursor: null })
  }
  const page: Page = { bound: ['ops-orders', state, reason ?? ''], cursor, limit }
  const after = positionOf(deps, page)
  const rows = await listOpsOrders(deps.db, { state, reason, after, limit: limit + 1, now })
  const { items, next_cursor } = pageOf(deps, page, rows, ({ decide_by, order_id: id }) =>
    state === 'overdue' ? [decide_by ?? '', id] : [id],
  )
  return ok({ items: items.map(shown), next_cursor })
}

/** GET /ops/orders/{order_id}. */
export const getOpsOrder: OperatorHandler = async (deps, { params }) => {
  const order = await findOpsOrder(deps.db, params.order_id ?? '', new Date().toISOString())
  if (order === undefined) throw noSuchOrder()
  return ok({ ...shown(order), events: await listOpsEvents(deps.db, order.order_id) } satisfies OpsOrderRead)
}

/** POST /ops/orders/{order_id}/wake: 202, whether or not a look was already waiting. */
export const postWake: OperatorHandler = async (deps, { caller, params }) => {
  const order = await findOpsOrder(deps.db, params.order_id ?? '', new Date().toISOString())
  if (order === undefined) throw noSuchOrder()
  const { order_id, status } = order
  await deps.db.sql.transaction().execute((tx) => recordAct(tx, actorOf(caller), { action: 'order.woken', target: order_id }))
  return accepted({ order_id, status, queued: await wakeOrderRun(deps.db, order_id) } satisfies WokenOrder)
}

function shown(order: Omit<OpsOrder, 'run_id'>): OpsOrder {
  return { ...order, run_id: `order:${order.order_id}` }
}
