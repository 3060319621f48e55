/** The closed vocabularies of order mail. Has only constants and types, so the pure rules can import it without zod. */

/** The forms in which an order's document goes to an agency. */
export const EDI_FORMATS = ['scx', 'csv'] as const
/** What a week of a document is: one date, or the Monday of its week. */
export const EDI_BUY_TYPES = ['daily', 'weekly'] as const
export type EdiBuyType = (typeof EDI_BUY_TYPES)[number]

export const EDI_DOCUMENTS = ['confirmed', 'revised', 'cancelled'] as const
export type EdiDocument = (typeof EDI_DOCUMENTS)[number]

/** `bounced`: the mail server accepted the mail, and a later server returned it. `skipped`: nobody needs it. */
export const EDI_STATUSES = ['queued', 'sent', 'failed', 'bounced', 'skipped'] as const
export type EdiStatus = (typeof EDI_STATUSES)[number]

/** What an attempt came to. `refused`: 5xx to the address or to the mail itself; whatever else fails is tried again. */
export const EDI_OUTCOMES = ['accepted', 'refused', 'deferred', 'unreachable'] as const
export type EdiOutcome = (typeof EDI_OUTCOMES)[number]

/** Why a mail that is tried again did not go. */
export const EDI_STUCK_REASONS = ['auth', 'tls', 'dns', 'connect', 'deferred'] as const
export type EdiStuckReason = (typeof EDI_STUCK_REASONS)[number]

/** Warnings of a document. `NO_ESTIMATE`: the order has no estimate_id. `ESTIMATE_NOT_REPRESENTABLE`: XML cannot carry a character of it. */
export const EDI_WARNINGS = ['NO_ESTIMATE', 'ESTIMATE_NOT_REPRESENTABLE'] as const
export type EdiWarningCode = (typeof EDI_WARNINGS)[number]

/** Why an order has no address for its documents: it is under no agreement, or its agreement has no `edi`. */
export const EDI_ABSENCES = ['no_agreement', 'no_address'] as const
export type EdiAbsence = (typeof EDI_ABSENCES)[number]

/** How often each side may have documents of an order sent again within 24 hours. */
export const EDI_RESENDS_PER_DAY = 20
