import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The sums of an order that is too large to match; amounts are text. */
export interface LargeSums {
  readonly ordered: number
  readonly ordered_gross: string
  readonly billed: number
  readonly billed_gross: string
  readonly days_booked: number
  readonly invoiced_months: string[]
}

export async function readLargeSums({ pool }: Pick<Database, 'pool'>, order_id: string): Promise<LargeSums> {
  const { rows } = await pool.query<LargeSums>(SUMS.bind({ order_id }))
  return rows[0] as LargeSums
}

/** Returns one row. */
const SUMS = statement(
  'sums-of-large-order',
  ['order_id'],
  `select * from (
      select coalesce(sum(units), 0)::float8 as ordered, coalesce(sum(gross), 0) as ordered_gross,
        (count(distinct (network, air_date)) filter (where units > 0))::int as days_booked
      from booked_spots where order_id = :order_id
    ) booked cross join (
      select (count(*) filter (where ran))::int as billed, coalesce(sum(rate) filter (where ran), 0) as billed_gross,
        array(select distinct broadcast_month from billed_rows where order_id = :order_id order by 1) as invoiced_months
      from billed_rows where order_id = :order_id
    ) billed`,
)
