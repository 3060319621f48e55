import { type Decimal, type DecimalLike, decimal, money } from '../decimal.ts'

export interface InvoiceAmounts {
  gross: Decimal
  commission: Decimal
  net: Decimal
}

/** The commission of an invoice in percent, and the currency to whose minor unit it is rounded. */
export interface CommissionTerms {
  readonly commissionPct: DecimalLike
  readonly currency: string
}

/** Returns the amounts of an invoice: the agency's commission is a percentage of the gross, rounded once (choices, Invoices: commission). */
export function invoiceAmounts(gross: DecimalLike, terms: CommissionTerms): InvoiceAmounts {
  return amounts(decimal(gross), commissionOn(gross, terms))
}

/**
 * Returns the amounts of a credit note, which are negative. Its commission is that of all credits of the invoice including this one,
 * minus that of the earlier ones, so that the credit notes of a fully credited invoice add up to its commission.
 */
export function creditAmounts(
  gross: DecimalLike,
  { credited, ...terms }: CommissionTerms & { readonly credited: DecimalLike },
): InvoiceAmounts {
  const before = commissionOn(credited, terms)
  const commission = commissionOn(decimal(credited).plus(decimal(gross)), terms).minus(before)
  return amounts(decimal(gross).times(decimal(-1)), commission.times(decimal(-1)))
}

function amounts(gross: Decimal, commission: Decimal): InvoiceAmounts {
  return { gross, commission, net: gross.minus(commission) }
}

function commissionOn(gross: DecimalLike, { commissionPct, currency }: CommissionTerms): Decimal {
  return money(decimal(gross).times(decimal(commissionPct)).div(decimal(100)), currency)
}
