/** The closed vocabularies and limits of settlement. Has only constants and types, so the pure rules can import it without zod. */

export const INVOICE_LINE_KINDS = ['spots', 'late_fee', 'credit'] as const
