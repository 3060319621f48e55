/** The closed vocabularies of order mail. Has only constants and types, so the pure rules can import it without zod. */

/** The forms in which an order's document goes to an agency. */
export const EDI_FORMATS = ['scx', 'csv'] as const
/** Whether the weeks of a document are single dates, or weeks that start on Monday. */
export const EDI_BUY_TYPES = ['daily', 'weekly'] as const
export type EdiBuyType = (typeof EDI_BUY_TYPES)[number]

/** What a mail carries: the order as it was placed, revised or cancelled, or one of its makegoods. */
export const EDI_DOCUMENTS = ['confirmed', 'revised', 'cancelled', 'makegood'] as const
export type EdiDocument = (typeof EDI_DOCUMENTS)[number]

/** `bounced`: the mail server accepted the mail, and a later server returned it. `skipped`: the mail is not needed. */
export const EDI_STATUSES = ['queued', 'sent', 'failed', 'bounced', 'skipped'] as const
export type EdiStatus = (typeof EDI_STATUSES)[number]

/** The outcomes of an attempt. `refused`: 5xx to the address or to the mail itself; after every other failure the mail is tried again. */
export const EDI_OUTCOMES = ['accepted', 'refused', 'deferred', 'unreachable'] as const
export type EdiOutcome = (typeof EDI_OUTCOMES)[number]

/** The reasons why a mail was not sent and is tried again. */
export const EDI_STUCK_REASONS = ['auth', 'tls', 'dns', 'connect', 'deferred'] as const
export type EdiStuckReason = (typeof EDI_STUCK_REASONS)[number]

/** The warnings of a document. `NO_ESTIMATE`: no estimate_id. `ESTIMATE_NOT_REPRESENTABLE`: XML cannot represent one of its characters. */
export const EDI_WARNINGS = ['NO_ESTIMATE', 'ESTIMATE_NOT_REPRESENTABLE'] as const
export type EdiWarningCode = (typeof EDI_WARNINGS)[number]

/** The reasons why an order has no address for its documents: it has no agreement, or its agreement has no `edi`. */
export const EDI_ABSENCES = ['no_agreement', 'no_address'] as const
export type EdiAbsence = (typeof EDI_ABSENCES)[number]

/** How many times each side may send documents of an order again within 24 hours. */
export const EDI_RESENDS_PER_DAY = 20
