import type { OpsDrop, OpsDropQuery } from '../../../src/contract/ops.ts'
import { listOpsDrops, type OpsDropRow } from '../../../src/store/ops/opsDrops.ts'
import type { OperatorHandler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** GET /ops/drops. */
export const getOpsDrops: OperatorHandler<undefined, OpsDropQuery> = async (deps, { query }) => {
  const { cursor, limit, state } = query
  const page: Page = { bound: ['ops-drops', state ?? ''], cursor, limit }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listOpsDrops(deps.db, { state, after, limit: limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, rows, ({ registration }) => [registration])
  return ok({ items: items.map(shown), next_cursor })
}

function shown({ registration: _, ...drop }: OpsDropRow): OpsDrop {
  return { ...drop, run_id: `drop:${drop.seller}/${drop.drop_id}` }
}
