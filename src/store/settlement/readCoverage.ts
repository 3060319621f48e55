import type { LoggedDay } from '../../domain/settlement/reconcile.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

type Pool = Pick<Database, 'pool'>

/** Returns those of these broadcast days that have logs, each by its place from 1 on. */
export async function readLoggedDays({ pool }: Pool, seller: string, days: readonly LoggedDay[]): Promise<{ place: number }[]> {
  if (days.length === 0) return []
  const networks = days.map(({ network }) => network)
  const dates = days.map(({ broadcast_date }) => broadcast_date)
  const { rows } = await pool.query<{ place: number }>(LOGGED.bind({ seller, networks, dates }))
  return rows
}

/** Reads the places of days that have a log. */
const LOGGED = statement(
  'logged-days',
  ['seller', 'networks', 'dates'],
  `select place::int from unnest(:networks::text[], :dates::date[]) with ordinality as day (network, broadcast_date, place)
    where exists (select from as_run_days d where d.seller = :seller and d.network = day.network and d.broadcast_date = day.broadcast_date)`,
)

/** A day whose log does not say of each spot of an order whether it aired. */
export interface UndecidedDay extends LoggedDay {
  readonly order_id: string
}

export async function readUndecidedDays({ pool }: Pool, seller: string, orderIds: readonly string[]): Promise<UndecidedDay[]> {
  if (orderIds.length === 0) return []
  return (await pool.query<UndecidedDay>(UNDECIDED.bind({ seller, order_ids: orderIds }))).rows
}

/** Reads the days of orders that a log in force leaves undecided. */
const UNDECIDED = statement(
  'undecided-days',
  ['seller', 'order_ids'],
  `select distinct u.order_id, u.network, u.broadcast_date::text from as_run_undecided u
    join as_run_days d using (seller, network, broadcast_date, log_id, registration)
    where u.order_id = any(:order_ids::text[]) and u.seller = :seller`,
)

/** The sums of an order's final posts. */
export interface DeliveredPosts {
  readonly order_id: string
  readonly unit_id: string
  readonly audience_code: string
  readonly stream: string
  readonly impressions: string
}

export async function readDelivered({ pool }: Pool, orderIds: readonly string[]): Promise<DeliveredPosts[]> {
  if (orderIds.length === 0) return []
  const { rows } = await pool.query<DeliveredPosts>(DELIVERED.bind({ order_ids: orderIds }))
  return rows
}

/** Sums final posts by line, audience and stream. */
const DELIVERED = statement(
  'delivered-audience',
  ['order_ids'],
  `select order_id, unit_id, audience_code, stream, sum(impressions) as impressions from post_rows
    where order_id = any(:order_ids::text[]) and final group by order_id, unit_id, audience_code, stream`,
)

/** The data that an invoice states about itself; totals only if all of its rows belong to one order. */
export interface StatedInvoice {
  readonly invoice_number: string
  readonly invoice_date: string
  readonly totals: { readonly spot_count: number | null; gross: string | null; commission: string | null; net: string | null } | null
}

export async function readInvoicesStated({ pool }: Pool, seller: string, numbers: readonly string[]): Promise<StatedInvoice[]> {
  if (numbers.length === 0) return []
  const { rows } = await pool.query<StatedInvoice>(STATED.bind({ seller, numbers }))
  return rows
}

/** Reads invoices of a seller. Nobody may see the totals of an invoice that bills several orders. */
const STATED = statement(
  'invoices-stated',
  ['seller', 'numbers'],
  `select invoice_number, invoice_date,
      case when num_nonnulls(spot_count, gross, commission, net) > 0 and (
          select min(order_id) = max(order_id) from billed_rows b where b.seller = i.seller and b.invoice_number = i.invoice_number
        ) then json_build_object('spot_count', spot_count, 'gross', gross::text, 'commission', commission::text, 'net', net::text) end as totals
    from seller_invoices i where seller = :seller and invoice_number = any(:numbers::text[])`,
)
