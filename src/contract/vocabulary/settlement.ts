/** The closed vocabularies and limits of settlement. Has only constants and types, so the pure rules can import it without zod. */

export type InvoiceKind = 'invoice' | 'credit_note'

/** `credited`: credit notes have reached the gross of the invoice. */
export type InvoiceStatus = 'issued' | 'paid' | 'credited'

export const INVOICE_LINE_KINDS = ['spots', 'late_fee', 'credit'] as const
