/** The codes of errors and warnings (contract, Statuses; Special codes). Has only constants and types, so the pure rules can import it without zod. */

export const STAGES = ['authentication', 'request', 'validation', 'pricing', 'inventory', 'approval', 'negotiation', 'platform'] as const
export type Stage = (typeof STAGES)[number]

/** Every error code with its HTTP status, its stage, and whether the caller can recover by changing the request or trying again. */
export const ERRORS = {
  MALFORMED_REQUEST: { status: 400, stage: 'request', recoverable: true },
  UNAUTHENTICATED: { status: 401, stage: 'authentication', recoverable: true },
  TENANT_MISMATCH: { status: 403, stage: 'authentication', recoverable: true },
  FORBIDDEN: { status: 403, stage: 'authentication', recoverable: false },
  NOT_FOUND: { status: 404, stage: 'request', recoverable: false },
  METHOD_NOT_ALLOWED: { status: 405, stage: 'request', recoverable: true },
  CONFLICT: { status: 409, stage: 'request', recoverable: true },
  INVALID_STATE: { status: 409, stage: 'validation', recoverable: true },
  STALE_RATE_CARD: { status: 409, stage: 'pricing', recoverable: true },
  GRAIN_CONFLICT: { status: 409, stage: 'pricing', recoverable: true },
  INVENTORY_UNAVAILABLE: { status: 409, stage: 'inventory', recoverable: true },
  PAYLOAD_TOO_LARGE: { status: 413, stage: 'request', recoverable: true },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, stage: 'request', recoverable: true },
  INVALID_INPUT: { status: 422, stage: 'validation', recoverable: true },
  GRAIN_NOT_OFFERED: { status: 422, stage: 'validation', recoverable: true },
  UNKNOWN_CREATIVE: { status: 422, stage: 'validation', recoverable: true },
  REFERENCE_ARCHIVED: { status: 422, stage: 'validation', recoverable: true },
  CREATIVE_LENGTH_MISMATCH: { status: 422, stage: 'validation', recoverable: true },
  CREDIT_LIMIT: { status: 422, stage: 'validation', recoverable: true },
  DUPLICATE_EXTERNAL_REF: { status: 422, stage: 'validation', recoverable: true },
  DUPLICATE_DISCLOSURE_OVERRIDE: { status: 422, stage: 'validation', recoverable: true },
  RATE_LIMITED: { status: 429, stage: 'request', recoverable: true },
  INTERNAL: { status: 500, stage: 'platform', recoverable: true },
  UNAVAILABLE: { status: 503, stage: 'platform', recoverable: true },
} as const satisfies Record<string, { status: number; stage: Stage; recoverable: boolean }>
export type ErrorCode = keyof typeof ERRORS

/** Error codes of order lines, in addition to INVALID_INPUT. */
export const LINE_ERRORS = ['GRAIN_NOT_OFFERED', 'UNKNOWN_CREATIVE', 'REFERENCE_ARCHIVED', 'CREATIVE_LENGTH_MISMATCH'] as const

/** Error codes of single publish entries, never of a whole request. */
export const ENTRY_ERRORS = ['UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY'] as const
export type EntryErrorCode = (typeof ENTRY_ERRORS)[number]

/** The warning codes of a create or its dry run; below are those of publish entries, of profiles and of any body. */
export const ORDER_WARNINGS = ['DATE_GRAIN_AVAILS_MISSING', 'ABOVE_PUBLISHED_AVAIL', 'DOUBLE_BOOKED_WEEK'] as const
/** The warning of an upload whose csv has another separator than commas. */
export const UPLOAD_WARNING = 'FOREIGN_SEPARATOR' as const
export const ENTRY_WARNINGS = [
  'UNPRICED_DECLARATION',
  'UNORDERABLE_PRICE',
  'ZERO_PRICE',
  'DEFAULT_CURRENCY',
  'UNSOLD_PERIOD',
  'MORE_WARNINGS',
  'UNKNOWN_MEMBER',
] as const
export type EntryWarningCode = (typeof ENTRY_WARNINGS)[number]
export const PROFILE_WARNING = 'SECRET_MISSING'
export type WarningCode = (typeof ORDER_WARNINGS)[number] | EntryWarningCode | typeof PROFILE_WARNING | typeof UPLOAD_WARNING
