import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { NO_LONGER_BILLED } from '../../contract/vocabulary/settlement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type CreditedLine, creditNote, linesWithin } from '../../domain/settlement/creditNote.ts'
import type { Tx } from '../../store/connection/database.ts'
import { creditInvoice, type LockedInvoice, lockInvoice } from '../../store/settlement/settle.ts'
import { issue } from './issue.ts'

/** The amounts to credit of the invoice for an order and a broadcast month. */
export interface AskedCredit {
  order_id: string
  broadcast_month: string
  lines: readonly CreditedLine[]
  reason: string
}

/**
 * Issues a credit note with its event, and restores the credit that it frees. The caller holds the order's lock, and a transaction in the
 * scope of both sides, as `exclusively` gives it. Returns its id. Errors: Refusal INVALID_STATE without an invoice for the month,
 * INVALID_INPUT for more than is left of the invoice.
 */
export async function issueCreditNote(tx: Tx, { order_id, broadcast_month, lines, reason }: AskedCredit): Promise<string> {
  const invoice = await lockInvoice(tx, order_id, broadcast_month)
  if (invoice === undefined) {
    const message = `The order has no invoice of ${broadcast_month} yet: a credit note needs one.`
    throw new Refusal('INVALID_STATE', message, { order_id, broadcast_month })
  }
  return issueFor(tx, invoice, { order_id, broadcast_month, lines, reason })
}

/**
 * Credits what an invoice bills and its order no longer does, up to what other credit notes have left of the invoice. The credit that the
 * order draws does not change, since it fell when the order was canceled. Returns the ids of the credit notes.
 */
export async function takeBack(tx: Tx, asked: Omit<AskedCredit, 'reason'>): Promise<string[]> {
  const issued = await creditWithin(tx, { ...asked, reason: NO_LONGER_BILLED })
  return issued === undefined ? [] : [issued]
}

/** Credits lines up to what other credit notes have left of the invoice. Returns the id of the credit note; undefined if nothing is left, or there is no invoice. */
export async function creditWithin(tx: Tx, { order_id, broadcast_month, lines, reason }: AskedCredit): Promise<string | undefined> {
  const invoice = await lockInvoice(tx, order_id, broadcast_month)
  const within = invoice === undefined ? [] : linesWithin(invoice, lines)
  if (invoice === undefined || within.length === 0) return undefined
  return issueFor(tx, invoice, { order_id, broadcast_month, lines: within, reason })
}

async function issueFor(tx: Tx, invoice: LockedInvoice, { order_id, broadcast_month, lines, reason }: AskedCredit): Promise<string> {
  const { invoice_id, credit_notes, now, ...credited } = invoice
  const note = creditNote(credited, lines)
  const places = decimalPlaces(invoice.currency)
  const issued = await issue(tx, {
    ...credited,
    ...note,
    ...{ kind: 'credit_note', n: credit_notes + 1, credits: invoice_id, reason, order_id, broadcast_month, issued_at: now },
  })
  await creditInvoice(tx, {
    invoice_id,
    order_id,
    credited: note.credited.toFixed(places),
    amount: reason === NO_LONGER_BILLED ? '0' : note.credited.minus(invoice.credited).toFixed(places),
    isInFull: note.isInFull,
  })
  return issued
}
