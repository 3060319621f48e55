import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** A credit that no credit note has given yet. */
export interface UnissuedCredit {
  readonly makegood_id: string
  readonly unit_id: string
  readonly air_date: string
  readonly network: string
  readonly units: number
  readonly gross: string
  readonly broadcast_month: string
}

/** Returns the credits of an order whose month is invoiced, and that no credit note has given yet, by month. The caller holds the order's lock. */
export async function unissuedCredits(tx: Tx, orderId: string): Promise<UnissuedCredit[]> {
  const { rows } = await runOn<UnissuedCredit>(tx, UNISSUED.bind({ order_id: orderId }))
  return rows
}

const UNISSUED = statement(
  'unissued-makegood-credits',
  ['order_id'],
  `select makegood_id, unit_id, air_date, network, units, gross, broadcast_month from makegood_credits c
    where order_id = :order_id and invoice_id is null and gross > 0 and exists (
      select from invoices i where i.order_id = c.order_id and i.broadcast_month = c.broadcast_month and i.kind = 'invoice' and i.n = 1)
    order by broadcast_month, makegood_id, unit_id, air_date`,
)

/** Names the credit note that has given the credits of a makegood in a month. */
export async function creditIssued(tx: Tx, credit: { makegood_id: string; broadcast_month: string; invoice_id: string }): Promise<void> {
  await runOn(tx, ISSUED.bind(credit))
}

const ISSUED = statement(
  'makegood-credit-issued',
  ['makegood_id', 'broadcast_month', 'invoice_id'],
  `update makegood_credits set invoice_id = :invoice_id where makegood_id = :makegood_id and broadcast_month = :broadcast_month and invoice_id is null`,
)

/** Returns what makegoods have credited of a line, network and date. */
export async function creditedByMakegoods(
  tx: Tx,
  { order_id, unit_id, network, air_date }: { order_id: string; unit_id: string | null; network: string; air_date: string },
): Promise<string> {
  const { rows } = await runOn<{ credited: string }>(tx, CREDITED.bind({ order_id, unit_id, network, air_date }))
  return rows[0]?.credited ?? '0'
}

const CREDITED = statement(
  'credited-by-makegoods',
  ['order_id', 'unit_id', 'network', 'air_date'],
  `select coalesce(sum(gross), 0) as credited from makegood_credits
    where order_id = :order_id and unit_id = :unit_id and network = :network and air_date = :air_date::date`,
)
