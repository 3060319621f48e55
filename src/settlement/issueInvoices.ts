import type { Instant } from '../domain/calendar.ts'
import type { OrderState } from '../domain/order/state.ts'
import { dueInvoices } from '../domain/settlement/dueInvoices.ts'
import { invoiceAmounts } from '../domain/settlement/invoiceAmounts.ts'
import type { Tx } from '../store/connection/database.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { postponeInvoice, readBilling } from '../store/settlement/issue.ts'
import { issue } from './issue.ts'

/**
 * Issues an invoice for each month of an order that has cleared, by the clock of the database or as of a time, and was not invoiced: in one transaction
 * with the events to both sides and the numbers. Idempotent, and whole or not at all. Returns the ids of the invoices.
 */
export async function issueInvoices(log: OrderLog, orderId: string, asOf?: Instant): Promise<string[]> {
  return log.exclusively(orderId, ({ order }, { tx }) => issueUnder(tx, order, asOf))
}

async function issueUnder(tx: Tx, order: OrderState, asOf: Instant | undefined): Promise<string[]> {
  const { order_id, buyer_entity, currency } = order.facts
  const { agreement_id = '', seller, external_order_id, buyer_metadata } = order.request
  const { now, invoiced, commission_pct } = await readBilling(tx, order_id, agreement_id)
  const { months, next_at } = dueInvoices(order, new Set(invoiced), asOf ?? now)
  const issued: string[] = []
  for (const { broadcast_month, lines, gross } of months) {
    const invoice = {
      ...invoiceAmounts(gross, commission_pct),
      ...({ kind: 'invoice', n: 1, credits: null, reason: null } as const),
      ...{ seller, buyer_entity, order_id, external_order_id, agreement_id, broadcast_month, currency, commission_pct, lines },
      estimate_id: buyer_metadata.estimate_id ?? null,
      order_seq: order.last_seq,
      issued_at: now,
    }
    issued.push(await issue(tx, invoice))
  }
  await postponeInvoice(tx, order_id, next_at)
  return issued
}
