/** The closed vocabularies and limits of settlement. Has only constants and types, so the pure rules can import it without zod. */

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** `credited`: credit notes have reached the gross of the invoice. */
export const INVOICE_STATUSES = ['issued', 'paid', 'credited'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const INVOICE_LINE_KINDS = ['spots', 'late_fee', 'credit'] as const

/** The reason of a credit note for what a canceled order no longer bills after invoicing ahead. The order no longer draws credit for it. */
export const NO_LONGER_BILLED = 'NO_LONGER_BILLED'

/** The reason of a credit note for spots that did not air and were not made good. */
export const MAKEGOOD_CREDIT = 'NOT_MADE_GOOD'

/** The most orders that one call of the sandbox invoices, and the most that it examines. */
export const ORDERS_PER_ISSUE = 200
export const ORDERS_LOOKED_AT = 2_000
