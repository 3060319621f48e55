import type pg from 'pg'
import { leastIdAt } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'

/** The database's figures for the whole marketplace at one moment. Ages are in seconds, 0 if nothing waits. */
export interface MarketFigures {
  readonly orders: readonly { readonly status: string; readonly age: AgeClass; readonly count: number }[]
  readonly overdue: number
  readonly outbox: { readonly rows: number; readonly oldest_s: number }
  readonly backlog: { readonly webhook_s: number; readonly mail_s: number; readonly queue_s: number }
  /** The endpoints whose every attempt has been failing, and those that are disabled. */
  readonly webhook_endpoints: { readonly failing: number; readonly disabled: number }
  readonly open_drops: number
}

/** Age below an hour, a day or seven days; or older. */
export type AgeClass = '1h' | '1d' | '7d' | 'older'

/** Reads the figures, each from one index. Requires a connection whose role sees every tenant. */
export const readMarketFigures = marketFigures('')

/** Returns the function that reads the figures from the tables, or from the views of them that operators read. */
export function marketFigures(prefix: '' | 'ops_'): (on: Pick<pg.ClientBase, 'query'>, now?: number) => Promise<MarketFigures> {
  const [openOrders, waiting] = [ordersOf(prefix), waitingOf(prefix)]
  return async (on, now = Date.now()) => {
    const [hour, day, week] = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS].map((age) => leastIdAt('ord_', now - age))
    const orders = await on.query<{ status: string; age: AgeClass; count: string }>(openOrders.bind({ hour, day, week }))
    const { rows } = await on.query<Record<Waiting, string>>(waiting.bind({}))
    // A row that another machine has stamped may lie slightly in the future.
    const figure = (name: keyof NonNullable<(typeof rows)[0]>) => Math.max(0, Number(rows[0]?.[name] ?? 0))
    return {
      orders: orders.rows.map(({ status, age, count }) => ({ status, age, count: Number(count) })),
      overdue: figure('overdue'),
      outbox: { rows: figure('outbox_rows'), oldest_s: figure('outbox_s') },
      backlog: { webhook_s: figure('webhook_s'), mail_s: figure('mail_s'), queue_s: figure('queue_s') },
      webhook_endpoints: { failing: figure('endpoints_failing'), disabled: figure('endpoints_disabled') },
      open_drops: figure('open_drops'),
    }
  }
}

type Waiting =
  | 'overdue'
  | 'outbox_rows'
  | 'outbox_s'
  | 'webhook_s'
  | 'mail_s'
  | 'queue_s'
  | 'endpoints_failing'
  | 'endpoints_disabled'
  | 'open_drops'

const HOUR_MS = 3_600_000

/** Counts open orders by status and age. The id contains the age, so the index of open orders is enough. */
function ordersOf(prefix: string) {
  return statement(
    `${prefix}market-orders`,
    ['hour', 'day', 'week'],
    `select status, case when order_id >= :hour then '1h' when order_id >= :day then '1d' when order_id >= :week then '7d' else 'older' end as age, count(*)
      from ${prefix}orders where status not in ('placed', 'canceled', 'rejected', 'failed') group by 1, 2`,
  )
}

/** Reads what waits, except endpoint rows that a sending worker holds. Reads one delivery per endpoint: millions may be behind it. */
function waitingOf(prefix: string) {
  // The condition of the index of endpoints that get nothing.
  const troubled = `status <> 'deleted' and (failing_since is not null or status = 'disabled')`
  return statement(
    `${prefix}market-waiting`,
    [],
    `
    with recursive first_pending as (
      (select endpoint_id, created_at from ${prefix}deliveries where status = 'pending' order by endpoint_id, delivery_no limit 1)
      union all
      select next.* from first_pending f cross join lateral (
        select endpoint_id, created_at from ${prefix}deliveries d where status = 'pending' and d.endpoint_id > f.endpoint_id
        order by d.endpoint_id, delivery_no limit 1
      ) next
    )
    select
      (select count(*) from ${prefix}orders where status = 'seller_review' and decide_by < now()) as overdue,
      (select count(*) from (select from ${prefix}outbox limit 100000) few) as outbox_rows,
      (select extract(epoch from now() - min(created_at)) from (
        select created_at from ${prefix}outbox limit 100000
      ) few) as outbox_s,
      (select extract(epoch from now() - min(created_at)) from first_pending) as webhook_s,
      (select extract(epoch from now() - min(created_at)) from ${prefix}edi_messages where status = 'queued') as mail_s,
      (select extract(epoch from now() - min(failing_since)) from ${prefix}queue_deliveries) as queue_s,
      (select count(*) from ${prefix}webhook_endpoints where ${troubled} and status = 'active') as endpoints_failing,
      (select count(*) from ${prefix}webhook_endpoints where ${troubled} and status = 'disabled') as endpoints_disabled,
      (select count(*) from ${prefix}drops where status = 'processing') as open_drops`,
  )
}
