import type { OpsMail, OpsMailQuery } from '../../../src/contract/ops.ts'
import { listOpsMails } from '../../../src/store/ops/opsMails.ts'
import type { OperatorHandler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** GET /ops/mails. */
export const getOpsMails: OperatorHandler<undefined, OpsMailQuery> = async (deps, { query }) => {
  const { cursor, limit, state } = query
  const page: Page = { bound: ['ops-mails', state], cursor, limit }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listOpsMails(deps.db, { state, after, limit: limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, rows, ({ message_id }) => [message_id])
  return ok({
    items: items.map(({ agreement_id, ...mail }): OpsMail => ({ ...mail, run_id: `mail:${agreement_id}` })),
    next_cursor,
  })
}
