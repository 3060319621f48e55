import type { CreateOrder } from '../../../src/contract/createOrder.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import { createOrder as create, furtherFaults, previewOrder as preview } from '../../../src/operations/orders/createOrder.ts'
import type { Handler } from '../../http/handler.ts'
import { ok, REPLAYED } from '../../http/reply.ts'
import type { Checks } from '../../http/route.ts'

/** POST /orders: 201, or the stored reply of the same bytes with `X-Idempotent-Replay: true` (contract, Create rules: replay). */
export const createOrder: Handler<CreateOrder, DryRunQuery> = async ({ orders, db }, { caller, body, raw, query, unknown }) => {
  if (query.dry_run === 'true') return ok(await preview(orders, db, caller.entity, body, raw))
  const { reply, replayed } = await create(orders, db, caller.entity, body, raw, unknown)
  return { status: 201, body: reply, ...(replayed ? { headers: REPLAYED } : {}) }
}

/** POST /orders/preview, and POST /orders?dry_run=true (choices, Dry run). */
export const previewOrder: Handler<CreateOrder> = async ({ orders, db }, { caller, body, raw }) =>
  ok(await preview(orders, db, caller.entity, body, raw))

export const reviewCreate: NonNullable<Checks['review']> = ({ db }, { entity }, sent) => furtherFaults(db, entity, sent)
