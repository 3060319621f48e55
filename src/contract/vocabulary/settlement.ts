/** The closed vocabularies and limits of settlement. Has only constants and types, so the pure rules can import it without zod. */

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** `credited`: credit notes have reached the gross of the invoice. */
export const INVOICE_STATUSES = ['issued', 'paid', 'credited'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const INVOICE_LINE_KINDS = ['spots', 'late_fee', 'credit'] as const

/** The most orders that one call of the sandbox invoices. */
export const ORDERS_PER_ISSUE = 200
