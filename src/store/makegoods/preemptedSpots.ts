import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Units of a line and date that a log says were preempted, or will be. */
export interface PreemptedSpots {
  readonly order_id: string
  readonly unit_id: string
  readonly date: string
  readonly units: number
}

/** Returns the preempted spots of orders by their results, for a seller whose logs begin makegoods; none for another. */
export async function preemptedSpots(
  { pool }: Pick<Database, 'pool'>,
  seller: string,
  orderIds: readonly string[],
): Promise<PreemptedSpots[]> {
  const { rows } = await pool.query<PreemptedSpots>(PREEMPTED.bind({ seller, order_ids: orderIds }))
  return rows
}

/** A row of a line is dated as the line, or on the broadcast clock a day later. */
const PREEMPTED = statement(
  'preempted-spots',
  ['seller', 'order_ids'],
  `select l.order_id, l.unit_id, l.air_date as date, count(*)::int as units
    from sellers s join reconciliations r on r.seller = s.seller join reconciliation_lines l using (order_id, result)
      cross join lateral json_array_elements(l.body->'variances') variance
    where s.seller = :seller and s.profile->>'notices_from_logs' = 'true' and r.order_id = any(:order_ids::text[])
      and 'MISSED' = any(l.codes) and variance->>'code' = 'MISSED' and variance->>'makegood_id' is null and l.unit_id is not null
      and exists (select from json_array_elements(variance->'rows') sent where sent->>'record_type' = 'as_run')
      and exists (select from as_run_rows a where a.order_id = l.order_id and a.network = l.network and not a.ran
        and a.air_date between l.air_date and l.air_date + 1 and a.status ~* '^[^a-z]*pre[^a-z]*empt')
    group by l.order_id, l.unit_id, l.air_date order by l.order_id, l.unit_id, l.air_date`,
)
