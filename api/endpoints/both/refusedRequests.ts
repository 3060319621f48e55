import type { RefusedRequestQuery } from '../../../src/contract/refusedRequest.ts'
import { listRefused } from '../../../src/store/requests/refusedRequests.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** GET /requests: newest first. */
export const getRefusedRequests: Handler<undefined, RefusedRequestQuery> = async (deps, { caller, query }) => {
  const { cursor, limit, ...filter } = query
  const page: Page = { bound: ['requests', caller.entity, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listRefused(deps.db, caller.entity, filter, before, limit + 1)
  const { items, ...end } = pageOf(deps, page, rows, ({ refused_no }) => [refused_no])
  return ok({ items: items.map(({ refused_no: _, ...item }) => item), ...end })
}
