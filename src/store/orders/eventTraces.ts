import { batched } from '../connection/batched.ts'
import { statement, unnested } from '../connection/statement.ts'

/** The W3C trace context of an order's newest event, with those that are asked for at the same time; null when it came about without one. */
export const lastTraceparent = batched<string, string | null>(async (pool, orderIds) => {
  const { rows } = await pool.query<{ order_id: string; traceparent: string | null }>(LAST.bind({ order_ids: [...new Set(orderIds)] }))
  const found = new Map(rows.map(({ order_id, traceparent }) => [order_id, traceparent]))
  return orderIds.map((orderId) => found.get(orderId) ?? null)
})

/** The trace context of the newest event of each order: a row for each that is asked for. */
const LAST = statement(
  'last-traceparents',
  ['order_ids'],
  `select order_id, (select traceparent from order_events e where e.order_id = asked.order_id order by seq desc limit 1) as traceparent
    from ${unnested({ order_ids: 'text' })} as asked (order_id)`,
)
