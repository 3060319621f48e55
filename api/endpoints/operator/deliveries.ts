import type { OpsDeliveryQuery } from '../../../src/contract/ops.ts'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import type { DeliveryListQuery } from '../../../src/contract/webhook.ts'
import { listDeliveries, redeliver } from '../../../src/store/delivery/deliveryLog.ts'
import { findOpsEndpoint, listOpsEndpoints } from '../../../src/store/ops/opsEndpoints.ts'
import { recordAct } from '../../../src/store/tenants/securityEvents.ts'
import { actorOf, type Call } from '../../http/call.ts'
import type { Deps, OperatorHandler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { accepted, ok } from '../../http/reply.ts'
import { activeOnly, noSuchDelivery, noSuchEndpoint } from '../both/webhooks.ts'

/** GET /ops/deliveries. */
export const getOpsEndpoints: OperatorHandler<undefined, OpsDeliveryQuery> = async (deps, { query }) => {
  const { cursor, limit, state } = query
  const page: Page = { bound: ['ops-deliveries', state ?? ''], cursor, limit }
  const [after = ''] = positionOf(deps, page) ?? []
  const rows = await listOpsEndpoints(deps.db, { state, after, limit: limit + 1 })
  return ok(pageOf(deps, page, rows, ({ endpoint_id }) => [endpoint_id]))
}

/** GET /ops/deliveries/{endpoint_id}. */
export const getEndpointDeliveries: OperatorHandler<undefined, DeliveryListQuery> = async (deps, { params, query }) => {
  const { endpoint_id, db } = await endpointOf(deps, params)
  const { cursor, limit, ...filter } = query
  const page: Page = { bound: ['ops-deliveries-of', endpoint_id, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listDeliveries(db, endpoint_id, filter, EVENT_TYPES, before, limit + 1)
  return ok(pageOf(deps, page, rows, ({ delivery_id }) => [delivery_id]))
}

/** POST /ops/deliveries/{endpoint_id}/{delivery_id}/resend. */
export const postOpsResend: OperatorHandler = async (deps, { caller, params }) => {
  const endpoint = await endpointOf(deps, params)
  const { endpoint_id } = activeOnly(endpoint)
  const { delivery_id = '' } = params
  const act = { action: 'delivery.resent', target: delivery_id, after: { endpoint_id, tenant: endpoint.tenant } } as const
  // The resend is in a tenant's scope, the act in the operator's. The transactions are consecutive, since nested ones hold two connections.
  const again = await redeliver(endpoint.db, endpoint_id, delivery_id, EVENT_TYPES)
  if (again === undefined) throw noSuchDelivery()
  await deps.db.sql.transaction().execute((tx) => recordAct(tx, actorOf(caller), act))
  return accepted(again)
}

/** Returns an endpoint of any tenant, with a database that sees what this tenant is involved in. */
async function endpointOf({ db }: Deps, { endpoint_id = '' }: Call['params']) {
  const found = await findOpsEndpoint(db, endpoint_id)
  if (found === undefined) throw noSuchEndpoint()
  return { ...found, endpoint_id, db: db.withCounterparty([found.tenant]) }
}
