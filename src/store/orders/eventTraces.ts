import { batched } from '../connection/batched.ts'
import { statement, unnested } from '../connection/statement.ts'

/** Returns the W3C trace context of an order's newest event; null if the event has none. Batches concurrent calls. */
export const lastTraceparent = batched<string, string | null>(async (pool, orderIds) => {
  const { rows } = await pool.query<{ order_id: string; traceparent: string | null }>(LAST.bind({ order_ids: [...new Set(orderIds)] }))
  const found = new Map(rows.map(({ order_id, traceparent }) => [order_id, traceparent]))
  return orderIds.map((orderId) => found.get(orderId) ?? null)
})

/** Reads the trace context of each order's newest event: a row for each order asked for. */
const LAST = statement(
  'last-traceparents',
  ['order_ids'],
  `select order_id, (select traceparent from order_events e where e.order_id = asked.order_id order by seq desc limit 1) as traceparent
    from ${unnested({ order_ids: 'text' })} as asked (order_id)`,
)
