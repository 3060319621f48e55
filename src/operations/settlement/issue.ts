import { jsonNumber } from '../../domain/decimal.ts'
import type { Tx } from '../../store/connection/database.ts'
import { announce } from '../../store/delivery/notices.ts'
import { insertInvoice, type NewInvoice } from '../../store/settlement/issue.ts'

/** Writes an invoice or a credit note with its event to both sides, in the caller's transaction. Returns its id. */
export async function issue(tx: Tx, invoice: NewInvoice): Promise<string> {
  const { kind, order_id, external_order_id, agreement_id, broadcast_month, currency, credits, seller, buyer_entity } = invoice
  const { invoice_id, invoice_number } = await insertInvoice(tx, invoice)
  const data = {
    ...{ invoice_id, invoice_number, kind, ...(credits === null ? {} : { credits }) },
    ...{ order_id, external_order_id, agreement_id, broadcast_month, currency },
    ...{ gross: jsonNumber(invoice.gross), commission: jsonNumber(invoice.commission), net: jsonNumber(invoice.net) },
  }
  const shown = [{ to: [buyer_entity, seller], data }]
  await announce(tx, [{ event_type: 'settlement.invoice_issued', seller, occurred_at: invoice.issued_at, shown }])
  return invoice_id
}
