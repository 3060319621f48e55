import { z } from 'zod'
import type { CreateOrder } from '../../src/contract/createOrder.ts'
import { furtherFaults, previewOrder as preview, submitOrder } from '../../src/orders/submitOrder.ts'
import { type Endpoint, type Handler, ok } from '../endpoint.ts'

export const CreateOrderQuery = z.object({
  dry_run: z.enum(['true', 'false']).optional().meta({
    description: 'true: answers 200 as POST /orders/preview does, which is its own operation because its reply is another one.',
    deprecated: true,
  }),
})

/** POST /orders: 201, or the stored reply of the same bytes with `X-Idempotent-Replay: true` (spec, Create rule 4). */
export const createOrder: Handler<CreateOrder, z.output<typeof CreateOrderQuery>> = async (
  { orders, db },
  { caller, body, raw, query, unknown },
) => {
  if (query.dry_run === 'true') return ok(await preview(db, caller.entity, body))
  const { reply, replayed } = await submitOrder(orders, db, caller.entity, body, raw, unknown)
  return { status: 201, body: reply, ...(replayed ? { headers: { 'X-Idempotent-Replay': 'true' } } : {}) }
}

/** POST /orders/preview, and POST /orders?dry_run=true (choices, Dry run). */
export const previewOrder: Handler<CreateOrder> = async ({ db }, { caller, body }) => ok(await preview(db, caller.entity, body))

export const reviewCreate: NonNullable<Endpoint['review']> = ({ db }, { entity }, sent) => furtherFaults(db, entity, sent)
