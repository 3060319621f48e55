import type { Database, Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** The changes that payments and credit notes make to an invoice, and to what its order draws on credit. */

/** An invoice to be credited. */
export interface LockedInvoice {
  invoice_id: string
  invoice_number: string
  seller: string
  buyer_entity: string
  external_order_id: string
  agreement_id: string
  estimate_id: string | null
  currency: string
  gross: string
  credited: string
  commission_pct: string
  /** The seq of the order's last event. */
  order_seq: number
  /** The number of its credit notes. */
  credit_notes: number
  /** The time by the database's clock. */
  now: string
}

/** Returns the invoice for an order's spots in a month, locked against payments; undefined if there is none. Requires the order's lock. */
export async function lockInvoice(tx: Tx, orderId: string, broadcastMonth: string): Promise<LockedInvoice | undefined> {
  const { rows } = await runOn<LockedInvoice>(tx, LOCK.bind({ order_id: orderId, broadcast_month: broadcastMonth }))
  return rows[0]
}

/** Returns one row, or none. */
const LOCK = statement(
  'lock-invoice',
  ['order_id', 'broadcast_month'],
  `select invoice_id, invoice_number, i.seller, i.buyer_entity, i.external_order_id, i.agreement_id, estimate_id, currency, i.gross, credited,
      commission_pct, (select last_seq from orders o where o.order_id = i.order_id) as order_seq, clock_timestamp() as now,
      (select count(*)::int from invoices c where c.order_id = i.order_id and c.broadcast_month = i.broadcast_month and c.kind = 'credit_note') as credit_notes
    from invoices i where order_id = :order_id and broadcast_month = :broadcast_month and kind = 'invoice' and n = 1 for update of i`,
)

/** Records what credit notes have credited of an invoice with another `amount`, which its order no longer draws. */
export async function creditInvoice(
  tx: Tx,
  { isInFull, ...credit }: { invoice_id: string; order_id: string; credited: string; amount: string; isInFull: boolean },
): Promise<void> {
  await runOn(tx, CREDIT.bind({ ...credit, is_in_full: isInFull }))
}

/** SQL: settles an amount. What the order draws is never below 0: an excess counts for its later months. */
const SETTLED = (amount: string) => `settled_gross = settled_gross + ${amount}, drawn = greatest(drawn - ${amount}, 0)`

/** Changes the invoice and the order. */
const CREDIT = statement(
  'credit-invoice',
  ['invoice_id', 'order_id', 'credited', 'amount', 'is_in_full'],
  `with credited as (
      update invoices set credited = :credited, status = case when :is_in_full then 'credited' else status end where invoice_id = :invoice_id
    )
    update orders set ${SETTLED(':amount::numeric')} where order_id = :order_id`,
)

/** The details of a payment. */
export interface Payment {
  paid_on?: string | undefined
  reference?: string | undefined
}

/**
 * Marks an invoice as paid: its order no longer draws what credit notes had left of it. A single statement, which ignores an invoice that
 * is paid or credited, and a credit note. A row lock without the order's advisory lock suffices: nothing goes to the feed. Reads the clock
 * once the row is locked: `now()` is the time before the wait for a credit note.
 */
export async function payInvoice({ pool }: Pick<Database, 'pool'>, invoiceId: string, { paid_on, reference }: Payment): Promise<void> {
  await pool.query(PAY.bind({ invoice_id: invoiceId, paid_on: paid_on ?? null, reference: reference ?? null }))
}

/** Changes the invoice, if it is open, and the order. */
const PAY = statement(
  'pay-invoice',
  ['invoice_id', 'paid_on', 'reference'],
  `with paid as (
      update invoices set status = 'paid', paid_at = clock_timestamp(), paid_on = coalesce(:paid_on, (clock_timestamp() at time zone 'utc')::date), reference = :reference
      where invoice_id = :invoice_id and kind = 'invoice' and status = 'issued' returning order_id, gross - credited as amount
    )
    update orders set ${SETTLED('paid.amount')} from paid where orders.order_id = paid.order_id`,
)
