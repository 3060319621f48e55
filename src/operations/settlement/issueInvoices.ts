import type { Instant } from '../../domain/calendar.ts'
import { sum } from '../../domain/decimal.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { dueInvoices } from '../../domain/settlement/dueInvoices.ts'
import { invoiceAmounts } from '../../domain/settlement/invoiceAmounts.ts'
import type { Tx } from '../../store/connection/database.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { postponeInvoice, readBilling } from '../../store/settlement/issue.ts'
import { lockReconciliation } from '../../store/settlement/varianceSteps.ts'
import { issue } from './issue.ts'
import { takeBack } from './issueCreditNote.ts'
import { issueMakegoodCredits } from './makegoodCredits.ts'

/**
 * Issues what is due of an order, by the database's clock or as of a time: an invoice for each month that has cleared and has none, and the
 * changes to months that were invoiced ahead. One transaction writes everything, including the events to both sides and the numbers.
 * Idempotent, and all or nothing. Returns the ids of the invoices and credit notes.
 */
export async function issueInvoices(log: OrderLog, orderId: string, asOf?: Instant): Promise<string[]> {
  return log.exclusively(orderId, ({ order }, { tx }) => issueUnder(tx, order, asOf))
}

async function issueUnder(tx: Tx, order: OrderState, asOf: Instant | undefined): Promise<string[]> {
  const { order_id, buyer_entity, currency } = order.facts
  const { agreement_id = '', seller, external_order_id, buyer_metadata } = order.request
  await lockReconciliation(tx, order_id) // the issue of a new invoice counts what is disputed of it
  const billing = await readBilling(tx, order_id, agreement_id)
  const { months, next_at } = dueInvoices(order, billing.issued, asOf ?? billing.now, billing.makegoods)
  const issued: string[] = []
  for (const { broadcast_month, invoice, credit } of months) {
    if (invoice !== undefined) {
      const head = {
        ...({ kind: 'invoice', credits: null, reason: null } as const),
        ...{ seller, buyer_entity, order_id, external_order_id, agreement_id, broadcast_month, currency },
        estimate_id: buyer_metadata.estimate_id ?? null,
        order_seq: order.last_seq,
        issued_at: billing.now,
      }
      const { commission_pct } = billing
      const amounts = invoiceAmounts(sum(invoice.lines.map(({ gross }) => gross)), { commissionPct: commission_pct, currency })
      issued.push(await issue(tx, { ...head, ...invoice, ...amounts, commission_pct }))
    }
    if (credit !== undefined) issued.push(...(await takeBack(tx, { order_id, broadcast_month, lines: credit })))
  }
  issued.push(...(await issueMakegoodCredits(tx, order)))
  await postponeInvoice(tx, order_id, next_at)
  return issued
}
