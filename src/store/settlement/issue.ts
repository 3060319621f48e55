import type { InvoiceLine } from '../../contract/invoice.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import type { InvoiceKind } from '../../contract/vocabulary/settlement.ts'
import { NO_LONGER_BILLED } from '../../contract/vocabulary/settlement.ts'
import type { IssuedMonth } from '../../domain/settlement/dueInvoices.ts'
import type { InvoiceAmounts } from '../../domain/settlement/invoiceAmounts.ts'
import { invoiceNumber } from '../../domain/settlement/invoiceNumber.ts'
import type { BilledMakegood } from '../../domain/settlement/movedSpots.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** The content of an invoice or a credit note, before it has an id and a number. */
export interface NewInvoice extends InvoiceAmounts {
  kind: InvoiceKind
  /** Its number among those of its kind, order and month. */
  n: number
  seller: string
  buyer_entity: string
  order_id: string
  external_order_id: string
  agreement_id: string
  estimate_id: string | null
  broadcast_month: string
  credits: string | null
  reason: string | null
  /** The seq of the order's last event. */
  order_seq: number
  currency: string
  commission_pct: string
  lines: readonly InvoiceLine[]
  issued_at: string
}

/**
 * Writes an invoice or a credit note under the next number of its seller and month. The counter is locked to the end of the transaction,
 * and rolls back with it, so that numbers have no gaps. A caller that issues several
 * does so in the order of their months, so that two callers never deadlock.
 */
export async function insertInvoice(tx: Tx, invoice: NewInvoice): Promise<{ invoice_id: string; invoice_number: string }> {
  const { seller, broadcast_month, lines } = invoice
  const { rows } = await runOn<{ last: number }>(tx, NEXT_NUMBER.bind({ seller, broadcast_month }))
  const invoice_id = newId('inv_')
  const invoice_number = invoiceNumber(broadcast_month, rows[0]?.last ?? 0)
  const places = decimalPlaces(invoice.currency)
  const [gross, commission, net] = [invoice.gross, invoice.commission, invoice.net].map((amount) => amount.toFixed(places))
  await runOn(tx, INSERT.bind({ ...invoice, invoice_id, invoice_number, lines: JSON.stringify(lines), gross, commission, net }))
  return { invoice_id, invoice_number }
}

/** Increments the counter of a seller and a month. */
const NEXT_NUMBER = statement(
  'next-invoice-number',
  ['seller', 'broadcast_month'],
  `insert into invoice_counters (seller, broadcast_month, last) values (:seller, :broadcast_month, 1)
    on conflict (seller, broadcast_month) do update set last = invoice_counters.last + 1 returning last`,
)

const COLUMNS = [
  ...['invoice_id', 'seller', 'buyer_entity', 'order_id', 'external_order_id', 'agreement_id', 'estimate_id', 'broadcast_month'],
  ...['kind', 'n', 'invoice_number', 'credits', 'reason', 'order_seq', 'currency', 'gross', 'commission_pct', 'commission', 'net'],
  ...['lines', 'issued_at'],
] as const

/** Writes one invoice. */
const INSERT = statement(
  'insert-invoice',
  COLUMNS,
  `insert into invoices (${COLUMNS.join(', ')}) values (${COLUMNS.map((column) => `:${column}`).join(', ')})`,
)

/** The data that an issue needs besides the order, whose lock the caller holds. */
export interface Billing {
  /** The time by the database's clock. */
  now: string
  /** The amounts issued so far, by month. */
  issued: IssuedMonth[]
  /** The agreed makegoods of the order. */
  makegoods: BilledMakegood[]
  /** The commission of the agreement as it is now, even if it has ended, as decimal text. */
  commission_pct: string
}

export async function readBilling(tx: Tx, orderId: string, agreementId: string): Promise<Billing> {
  const { rows } = await runOn<Billing>(tx, BILLING.bind({ order_id: orderId, agreement_id: agreementId }))
  return rows[0] as Billing
}

/** Always returns one row. Reads the clock once the lock is held: `now()` is the time before the wait for it. */
const BILLING = statement(
  'read-billing',
  ['order_id', 'agreement_id'],
  `select clock_timestamp() as now, coalesce((select json_agg(months) from (
      select broadcast_month, count(distinct invoice_id) filter (where kind = 'invoice')::int as invoices,
        coalesce(json_agg(line) filter (where kind = 'invoice'), '[]') as billed,
        coalesce(json_agg(line) filter (where reason = '${NO_LONGER_BILLED}'), '[]') as taken_back,
        coalesce(json_agg(line) filter (where kind = 'credit_note' and reason <> '${NO_LONGER_BILLED}'), '[]') as credited
      from invoices cross join lateral json_array_elements(lines) as line where order_id = :order_id group by broadcast_month
    ) months), '[]') as issued,
    coalesce((select json_agg(agreed::jsonb || jsonb_build_object('makegood_id', makegood_id) order by makegood_id)
      from makegoods where order_id = :order_id and status = 'accepted'), '[]') as makegoods,
    coalesce((select body->>'agency_commission_pct' from agreements where agreement_id = :agreement_id), '0') as commission_pct`,
)

/** Records when an order must next be checked for an invoice; null if nothing is left to bill. The caller holds the order's lock. */
export async function postponeInvoice(tx: Tx, orderId: string, nextAt: string | null): Promise<void> {
  await runOn(tx, POSTPONE.bind({ order_id: orderId, next_at: nextAt }))
}

/** Sets when an order is due for an invoice. */
const POSTPONE = statement(
  'postpone-invoice',
  ['order_id', 'next_at'],
  'update orders set invoice_due_at = :next_at where order_id = :order_id',
)
