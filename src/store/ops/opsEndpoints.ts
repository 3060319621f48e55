import { COUNTED_DELIVERIES, type OpsDeliveryQuery, type OpsEndpoint } from '../../contract/ops.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Webhook endpoints of every tenant as operators see them, read from the views of migration 0013. */

type Pool = Pick<Database, 'pool'>

/** Returns a page of the endpoints whose deliveries wait or fail, by id. */
export async function listOpsEndpoints(
  { pool }: Pool,
  { state, after, limit }: Pick<OpsDeliveryQuery, 'state'> & { after: string; limit: number },
): Promise<OpsEndpoint[]> {
  const asked = { after, limit, waiting: state !== 'failing', failing: state !== 'waiting' }
  return (await pool.query<OpsEndpoint>(LIST.bind(asked))).rows
}

/** Returns the tenant of an endpoint and whether it is active; undefined if it does not exist or is deleted. */
export async function findOpsEndpoint(
  { pool }: Pool,
  endpointId: string,
): Promise<{ tenant: string; status: OpsEndpoint['status'] } | undefined> {
  return (await pool.query<{ tenant: string; status: OpsEndpoint['status'] }>(ONE.bind({ endpoint_id: endpointId }))).rows[0]
}

const ONE = statement(
  'ops-endpoint',
  ['endpoint_id'],
  `select tenant, status from ops_webhook_endpoints where endpoint_id = :endpoint_id and status <> 'deleted'`,
)

/**
 * Reads a page of endpoints that wait or fail, with how many of their last deliveries were dropped. Reads each endpoint's first waiting delivery, then looks for the next endpoint: there may be
 * millions of deliveries behind one.
 */
const LIST = statement(
  'ops-endpoints',
  ['after', 'limit', 'waiting', 'failing'],
  `
    with recursive pending as (
      (select endpoint_id, 1 as n from ops_deliveries where status = 'pending' and endpoint_id > :after and :waiting::boolean order by endpoint_id limit 1)
      union all
      select next.endpoint_id, n + 1 from pending p cross join lateral (
        select endpoint_id from ops_deliveries d where status = 'pending' and d.endpoint_id > p.endpoint_id order by d.endpoint_id limit 1
      ) next where n < :limit::int
    ), page as (
      select endpoint_id from (
        select endpoint_id from pending
        union
        (select endpoint_id from ops_webhook_endpoints where :failing::boolean and endpoint_id > :after
          and status <> 'deleted' and (failing_since is not null or status = 'disabled') order by endpoint_id limit :limit)
      ) troubled order by endpoint_id limit :limit
    )
    select e.endpoint_id, tenant, host, status, disabled_reason, failing_since, waiting.count as waiting, ended.dropped, waiting.oldest as oldest_waiting_at,
      waiting.next as next_attempt_at
    from page join ops_webhook_endpoints e using (endpoint_id)
    cross join lateral (
      select count(*)::int as count, min(created_at) as oldest, min(due_at) as next
      from (select created_at, due_at from ops_deliveries d where d.endpoint_id = e.endpoint_id and d.status = 'pending'
        order by delivery_no limit ${COUNTED_DELIVERIES}) few
    ) waiting
    cross join lateral (
      select count(*) filter (where d.status = 'dropped')::int as dropped
      from (select status from ops_deliveries d where d.endpoint_id = e.endpoint_id order by delivery_no desc limit ${COUNTED_DELIVERIES}) d
    ) ended
    where e.status <> 'deleted' order by e.endpoint_id`,
)
