import { COUNTED_ASKS, type OpsConnection } from '../../contract/ops.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { IS_OPEN } from '../orders/waits.ts'

/** Returns a page of the sellers that declare their own API, by name, with the results of asking it. Reads the views of migration 0013. */
export async function listOpsConnections(
  { pool }: Pick<Database, 'pool'>,
  { after, limit }: { after: string; limit: number },
): Promise<OpsConnection[]> {
  return (await pool.query<OpsConnection>(LIST.bind({ after, limit }))).rows
}

/** Reads sellers with an API, and the first orders of each that wait for it. */
const LIST = statement(
  'ops-connections',
  ['after', 'limit'],
  `
    select seller, host, approval, realtime_availability, holds, asked.*,
      case when asked.waiting = 0 then 'idle' when asked.stuck = '[]' and most_unanswered = 0 then 'answering' else 'failing' end as state
    from (select * from ops_sellers where host is not null and seller > :after order by seller limit :limit) s
    cross join lateral (
      select coalesce(sum(orders), 0)::int as waiting, coalesce(max(unreachable), 0) as most_unanswered, max(last) as last_asked_at,
        coalesce(jsonb_agg(jsonb_build_object('reason', stuck_reason, 'orders', orders) order by orders desc, stuck_reason)
          filter (where stuck_reason is not null), '[]') as stuck
      from (
        select stuck_reason, count(*)::int as orders, max(a.unreachable) as unreachable, max(a.asked_at) as last
        from (select order_id, stuck_reason from ops_orders o where o.seller = s.seller and status = 'seller_review' and ${IS_OPEN}
            and gate_due = 'pull' order by order_id limit ${COUNTED_ASKS}) waiting
        left join lateral (select * from ops_remote_asks r where r.order_id = waiting.order_id offset 0) a on true
        group by stuck_reason
      ) by_reason
    ) asked
    order by seller`,
)
