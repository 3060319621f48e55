import type { InvoiceLine } from '../../contract/invoice.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber, money, sum } from '../decimal.ts'
import { Refusal } from '../refusal.ts'
import { creditAmounts, type InvoiceAmounts } from './invoiceAmounts.ts'

/** A credited line. Its gross is positive. */
export type CreditedLine = Omit<InvoiceLine, 'kind' | 'gross'> & { gross: DecimalLike }

/** The invoice that is credited. */
export interface CreditableInvoice {
  invoice_number: string
  currency: string
  gross: DecimalLike
  /** The amount that credit notes have credited so far. */
  credited: DecimalLike
  commission_pct: DecimalLike
}

export interface CreditNote extends InvoiceAmounts {
  lines: InvoiceLine[]
  /** The total that is credited of the invoice including this note. */
  credited: Decimal
  /** Whether this credits the whole invoice. */
  isInFull: boolean
}

/** Returns lines to credit, reduced to what is left of their invoice. */
export function linesWithin(invoice: Pick<CreditableInvoice, 'gross' | 'credited'>, asked: readonly CreditedLine[]): CreditedLine[] {
  let left = decimal(invoice.gross).minus(decimal(invoice.credited))
  return asked.flatMap((line) => {
    const gross = decimal(line.gross).gt(left) ? left : decimal(line.gross)
    left = left.minus(gross)
    return gross.gt(decimal(0)) ? [{ ...line, gross }] : []
  })
}

/** Makes a credit note for an invoice. Refuses to credit nothing, or more than the invoice bills. */
export function creditNote(invoice: CreditableInvoice, asked: readonly CreditedLine[]): CreditNote {
  const { currency } = invoice
  const gross = sum(asked.map((line) => money(line.gross, currency)))
  const left = decimal(invoice.gross).minus(decimal(invoice.credited))
  if (gross.lte(decimal(0)) || gross.gt(left)) {
    const message = `${jsonNumber(gross)} cannot be credited of ${invoice.invoice_number}: an amount above 0 and up to ${jsonNumber(left)} can.`
    throw new Refusal('INVALID_INPUT', message, { field: 'amount', maximum: jsonNumber(left) })
  }
  const credited = decimal(invoice.credited).plus(gross)
  return {
    ...creditAmounts(gross, { credited: invoice.credited, commissionPct: invoice.commission_pct, currency }),
    lines: asked.map((line) => ({ ...line, kind: 'credit', gross: -jsonNumber(money(line.gross, currency)) })),
    credited,
    isInFull: credited.eq(decimal(invoice.gross)),
  }
}
