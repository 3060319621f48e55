/** The closed vocabularies of the spec. Has only constants and types, so the pure rules can import it without zod. */

export const ORDER_STATUSES = [
  'submitted',
  'validating',
  'needs_confirmation',
  'confirmed',
  'negotiating',
  'seller_review',
  'placed',
  'canceled',
  'rejected',
  'failed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const LINE_STATUSES = ['pending', 'accepted', 'countered', 'rejected'] as const

/** Informational step markers (choices, States); null if none applies. */
export const SUBSTATUSES = ['awaiting_plan', 'quote_lapsed', 'awaiting_remote_decision'] as const
export type Substatus = (typeof SUBSTATUSES)[number]

export const WORKFLOWS = ['catalog', 'proposal', 'document'] as const
export type Workflow = (typeof WORKFLOWS)[number]

export const GRAINS = ['day', 'week', 'month'] as const
export type Grain = (typeof GRAINS)[number]

export const MARKET_CLASSES = ['scatter', 'discounted'] as const
export type MarketClass = (typeof MARKET_CLASSES)[number]

export const BUY_TYPES = ['preemptible', 'non_preemptible', 'audience_guaranteed', 'fixed_position'] as const
export type BuyType = (typeof BUY_TYPES)[number]

export const RATE_BASES = ['per_unit', 'cpm'] as const

export const SETTLEMENT_MODES = ['direct', 'cleared'] as const
export type SettlementMode = (typeof SETTLEMENT_MODES)[number]

/** The forms in which an order's document goes to an agency. */
export const EDI_FORMATS = ['scx', 'csv'] as const
/** What a week of a document is: one date, or the Monday of its week. */
export const EDI_BUY_TYPES = ['daily', 'weekly'] as const
export type EdiBuyType = (typeof EDI_BUY_TYPES)[number]

export const AVAIL_STATES = ['available', 'unavailable', 'projected'] as const
export type AvailState = (typeof AVAIL_STATES)[number]

export const AVAIL_BASES = ['measured', 'modelled'] as const
export type AvailBasis = (typeof AVAIL_BASES)[number]

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const REPORTING_DAYPARTS = ['early_morning', 'daytime', 'primetime', 'late_night', 'overnight', 'weekend'] as const
/** A withdrawn product accepts no new orders and is hidden from every buyer. Existing orders continue. */
export const PRODUCT_STATUSES = ['available', 'withdrawn'] as const
export const VISIBILITIES = ['open', 'by_agreement'] as const
export const PRICING_POLICIES = ['published', 'quote'] as const
export const AVAILS_POLICIES = ['published', 'on_request', 'withheld'] as const

export const DECISIONS = ['approve', 'reject', 'counter'] as const

export const CONFIRM_ACTIONS = ['confirm', 'reject'] as const

/** The reasons why a quote has ended. `lapsed`: it has expired. */
export const QUOTE_ENDS = ['lapsed', 'replaced', 'rejected', 'withdrawn', 'canceled'] as const
export type QuoteEnd = (typeof QUOTE_ENDS)[number]

/** The results of evaluating an acceptance band against a plan. */
export const BAND_VERDICTS = ['satisfied', 'not_satisfied', 'not_evaluable'] as const
export type BandVerdict = (typeof BAND_VERDICTS)[number]
/** The reason why a band is not evaluable although no figure is missing: the plan states less than the total of its lines. */
export const BAND_REASONS = ['totals_understated'] as const
export type BandReason = (typeof BAND_REASONS)[number]
/** The verdicts of an approval rule; `hold` leaves the order to a person. */
export const RULE_VERDICTS = ['approve', 'reject', 'hold'] as const
/** The answers of a buyer to a counter; `counter` is in the contract but not supported (spec, respond). */
export const RESPONSES = ['accept', 'withdraw', 'counter'] as const

export const UNIT_ACTIONS = ['accept', 'counter', 'reject'] as const

/** The gates through which a decision may come (choices, Gates). */
export const GATES = ['console', 'api', 'rule', 'pull', 'acceptance_band'] as const
export type Gate = (typeof GATES)[number]

/** The gates that a seller's profile may declare. */
export const APPROVALS = ['console', 'api', 'rules', 'pull'] as const
export type Approval = (typeof APPROVALS)[number]

/** A gate that the order's workflow asks before people decide. */
export type GateDue = 'rules' | 'pull'

export const EVENT_TYPES = [
  'order.status_changed',
  'catalog.rate_card_published',
  'catalog.window_opened',
  'catalog.avails_answered',
  'catalog.integrity_failed',
  'settlement.invoice_issued',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The type of the ping that POST …/test sends, which is in no log and on no feed. */
export const WEBHOOK_TEST = 'webhook.test'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The reasons why a delivery was dropped. `too_late`: the 25.5 s since its first attempt ended before the next attempt had a turn. */
export const DROP_REASONS = ['attempts_failed', 'gone', 'too_late', 'endpoint_deleted', 'endpoint_disabled', 'event_missing'] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** The secrets of an endpoint that the platform cannot open, because it lost their encryption key. */
export const UNREADABLE_SECRETS = ['current', 'previous'] as const
export type UnreadableSecret = (typeof UNREADABLE_SECRETS)[number]

/** The reasons why publishing to a tenant's queue fails. `unsuitable_queue`: a queue of its name is not durable or is exclusive. */
export const QUEUE_FAILURES = [
  'broker_unreachable',
  'access_refused',
  'unsuitable_queue',
  'rejected',
  'unroutable',
  'failed',
  'credential_revoked',
  'credential_expired',
] as const
export type QueueFailure = (typeof QUEUE_FAILURES)[number]

export const LATE_NOTICES = ['on_time', 'late', 'not_applicable'] as const

export const PARTIES = ['buyer', 'seller', 'platform'] as const
export type Party = (typeof PARTIES)[number]

export const ORDER_ACTIONS = ['confirm', 'respond', 'cancel', 'decide', 'plan'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

export const SIDES = ['buyer', 'seller'] as const
export type Side = (typeof SIDES)[number]

/** Whose credential it is: a tenant's, or one of those who run the marketplace. */
export const CREDENTIAL_SIDES = [...SIDES, 'operator'] as const
export type CredentialSide = (typeof CREDENTIAL_SIDES)[number]

export const UPLOAD_FORMATS = ['pdf', 'xlsx', 'csv'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

export const UPLOAD_STATUSES = ['pending', 'uploaded', 'rejected', 'expired'] as const
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** `used`: an order's lines cite the hold (choices, Holds). */
export const HOLD_STATUSES = ['held', 'released', 'expired', 'used'] as const
export type HoldStatus = (typeof HOLD_STATUSES)[number]

/** Every scope with the scopes that it implies (choices, Identity: a wider scope implies its reads). */
export const SCOPES = {
  'orders:write': ['orders:read', 'catalog:read'],
  'orders:approve': ['orders:read'],
  'catalog:write': ['catalog:read'],
  'webhooks:write': [],
  'settlement:write': ['settlement:read'],
  'settlement:read': [],
  'audit:read': [],
  'ops:write': ['ops:read'],
  'ops:read': [],
  'orders:read': [],
  'catalog:read': [],
} as const satisfies Record<string, readonly string[]>
export type Scope = keyof typeof SCOPES

const BOTH_SIDES = ['webhooks:write', 'settlement:read', 'orders:read', 'catalog:read', 'audit:read'] as const
/** The scopes that a credential of a side may hold. */
export const SIDE_SCOPES: Record<CredentialSide, readonly Scope[]> = {
  buyer: ['orders:write', ...BOTH_SIDES],
  seller: ['orders:approve', 'catalog:write', 'settlement:write', ...BOTH_SIDES],
  operator: ['ops:write', 'ops:read', 'audit:read'],
}

/** The algorithms of the SSH keys with which sellers sign in to the SFTP server. */
export const SSH_KEY_ALGORITHMS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'] as const
export type SshKeyAlgorithm = (typeof SSH_KEY_ALGORITHMS)[number]

/** The actions that a tenant's audit log records. */
export const SECURITY_ACTIONS = [
  'sign_in.refused',
  'token.issued',
  'token.revoked',
  'session.opened',
  'sftp_key.added',
  'sftp_key.revoked',
  'subject.admitted',
  'subject.revoked',
  'subject.restored',
  'capabilities.changed',
  'approval_rules.changed',
  'secret.set',
  'agreement.granted',
  'agreement.changed',
  'buyer.changed',
  'webhook_endpoint.registered',
  'webhook_endpoint.enabled',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.handed_over',
  'queue.changed',
  'queue.deleted',
  'queue.stopped',
  'queue.handed_over',
  'order.woken',
  'delivery.resent',
] as const
export type SecurityAction = (typeof SECURITY_ACTIONS)[number]

/** The interface through which an action was taken. */
export const SECURITY_VIAS = ['api', 'console', 'sftp', 'command_line', 'platform'] as const
export type SecurityVia = (typeof SECURITY_VIAS)[number]

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

/** The overall result of a publish. */
export const PUBLISH_RESULTS = ['success', 'partial', 'none'] as const
export type PublishResult = (typeof PUBLISH_RESULTS)[number]

/** Error codes of single publish entries, never of a whole request. */
export const ENTRY_ERRORS = ['UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY'] as const
export type EntryErrorCode = (typeof ENTRY_ERRORS)[number]

/** Warning codes, here those of a create or its dry run; below those of publish entries, profiles and any body. */
export const ORDER_WARNINGS = ['DATE_GRAIN_AVAILS_MISSING', 'ABOVE_PUBLISHED_AVAIL'] as const
export const ENTRY_WARNINGS = ['UNPRICED_DECLARATION', 'UNORDERABLE_PRICE', 'UNSOLD_PERIOD', 'MORE_WARNINGS', 'UNKNOWN_MEMBER'] as const
export type EntryWarningCode = (typeof ENTRY_WARNINGS)[number]
export const PROFILE_WARNING = 'SECRET_MISSING'
export type WarningCode = (typeof ORDER_WARNINGS)[number] | EntryWarningCode | typeof PROFILE_WARNING

/** The search attributes of an order's run in the Temporal UI. */
export const ORDER_SEARCH_ATTRIBUTES = {
  OrderStatus: 'Keyword',
  OrderSeller: 'Keyword',
  OrderBuyer: 'Keyword',
  OrderWorkflow: 'Keyword',
  OrderParkedSince: 'Datetime',
  OrderDecideBy: 'Datetime',
  OrderStuckReason: 'Keyword',
  OrderOverdue: 'Bool',
} as const

/** The search attributes of a drop's run. */
export const DROP_SEARCH_ATTRIBUTES = {
  DropSeller: 'Keyword',
  DropStage: 'Keyword',
  DropStuckReason: 'Keyword',
} as const

/** Every search attribute: a server must know their names before the first run. */
export const SEARCH_ATTRIBUTES = { ...ORDER_SEARCH_ATTRIBUTES, ...DROP_SEARCH_ATTRIBUTES } as const

/** The most entries of a publish, which bounds its reply, since that lists every refused entry. */
export const ENTRIES_PER_PUBLISH = 100_000

/** The most that an order, or all orders of an agreement, may total: the largest amount that a JSON number carries exactly with two decimals. */
export const MOST_GROSS = 9_999_999_999_999.99
/** The most impressions that an order may guarantee per audience, for the same reason. */
export const MOST_IMPRESSIONS = 999_999_999_999_999
/** The most units of a line. */
export const MOST_UNITS = 1_000_000_000

export const LINES_PER_ORDER = 500
/** The most orders in a family, since placing one ends all others. */
export const ORDERS_PER_FAMILY = 1_000
/** The most faults that a refusal lists. */
export const FAULTS_TOLD = 1_000
/** The most lines of an order, including the counters of every round, since each event of a decision carries them all. */
export const LINES_WITH_COUNTERS = 2_000
/** The size of an order's log, in characters, beyond which it accepts no more counters and plans, since each command reads all events. */
export const LOG_CHARACTERS = 16 * 1024 * 1024
/** The most bytes of a publish, enough for 100,000 entries. */
export const PUBLISH_BYTES = 32 * 1024 * 1024
