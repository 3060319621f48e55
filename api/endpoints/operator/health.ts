import type { OpsConnectionQuery } from '../../../src/contract/ops.ts'
import { listOpsConnections } from '../../../src/store/ops/opsConnections.ts'
import { readOpsHealth } from '../../../src/store/ops/opsHealth.ts'
import type { OperatorHandler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** GET /ops/health. */
export const getOpsHealth: OperatorHandler = async (deps) => ok(await readOpsHealth(deps.db))

/** GET /ops/connections. */
export const getOpsConnections: OperatorHandler<undefined, OpsConnectionQuery> = async (deps, { query }) => {
  const page: Page = { bound: ['ops-connections'], ...query }
  const [after = ''] = positionOf(deps, page) ?? []
  const rows = await listOpsConnections(deps.db, { after, limit: page.limit + 1 })
  return ok(pageOf(deps, page, rows, ({ seller }) => [seller]))
}
