import type { SecurityEventQuery } from '../../../src/contract/securityEvent.ts'
import { listSecurityEvents } from '../../../src/store/tenants/securityEvents.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** The audit log of the caller's tenant. */
export const getSecurityEvents: Handler<undefined, SecurityEventQuery> = async (deps, { caller, query }) => {
  const { cursor, limit, ...filter } = query
  const page: Page = { bound: ['audit', caller.entity, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listSecurityEvents(deps.db, caller.entity, filter, before, limit + 1)
  return ok(pageOf(deps, page, rows, ({ event_id }) => [event_id]))
}
