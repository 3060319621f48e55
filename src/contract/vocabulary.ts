/** The closed word lists of the spec. Constants and types only, so that the pure rules may import them without zod. */

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

/** Informational step markers (choices, States); null when none applies. */
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

export const AVAIL_STATES = ['available', 'unavailable', 'projected'] as const
export type AvailState = (typeof AVAIL_STATES)[number]

export const AVAIL_BASES = ['measured', 'modelled'] as const
export type AvailBasis = (typeof AVAIL_BASES)[number]

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const REPORTING_DAYPARTS = ['early_morning', 'daytime', 'primetime', 'late_night', 'overnight', 'weekend'] as const
/** A withdrawn product takes no new orders and is out of every buyer's sight; orders that book it go on. */
export const PRODUCT_STATUSES = ['available', 'withdrawn'] as const
export const VISIBILITIES = ['open', 'by_agreement'] as const
export const PRICING_POLICIES = ['published', 'quote'] as const
export const AVAILS_POLICIES = ['published', 'on_request', 'withheld'] as const

export const DECISIONS = ['approve', 'reject', 'counter'] as const

export const CONFIRM_ACTIONS = ['confirm', 'reject'] as const

/** Why a quote is no price any more. `lapsed`: its time is over. */
export const QUOTE_ENDS = ['lapsed', 'replaced', 'rejected', 'withdrawn', 'canceled'] as const
export type QuoteEnd = (typeof QUOTE_ENDS)[number]

/** What came of a proposal's acceptance band when its plan was held against it. */
export const BAND_VERDICTS = ['satisfied', 'not_satisfied', 'not_evaluable'] as const
export type BandVerdict = (typeof BAND_VERDICTS)[number]
/** Why a band is not evaluable, beside a figure that plan or request left out: the plan states less than its lines come to. */
export const BAND_REASONS = ['totals_understated'] as const
export type BandReason = (typeof BAND_REASONS)[number]
/** What an approval rule may say of an order; `hold` leaves it to a person. */
export const RULE_VERDICTS = ['approve', 'reject', 'hold'] as const
/** What a buyer may answer to a counter; the last of them is published and not served (spec, respond). */
export const RESPONSES = ['accept', 'withdraw', 'counter'] as const

export const UNIT_ACTIONS = ['accept', 'counter', 'reject'] as const

/** Through what a decision came (choices, Gates). */
export const GATES = ['console', 'api', 'rule', 'pull', 'acceptance_band'] as const
export type Gate = (typeof GATES)[number]

/** Who decides on a seller's orders, as its profile declares. */
export const APPROVALS = ['console', 'api', 'rules', 'pull'] as const
export type Approval = (typeof APPROVALS)[number]

/** A gate that is asked by the order's workflow itself, before people decide. */
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

/** The ping that POST …/test sends: it comes from no log, and is on no feed. */
export const WEBHOOK_TEST = 'webhook.test'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why a delivery was dropped. `too_late`: the 25.5 s from its first attempt were over before there was a turn for the next. */
export const DROP_REASONS = ['attempts_failed', 'gone', 'too_late', 'endpoint_deleted', 'endpoint_disabled', 'event_missing'] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** Which of an endpoint's secrets cannot be opened, because the platform lost the key that they were encrypted under. */
export const UNREADABLE_SECRETS = ['current', 'previous'] as const
export type UnreadableSecret = (typeof UNREADABLE_SECRETS)[number]

/** Why nothing could be published to a tenant's queue. `unsuitable_queue`: one of its name is there and not durable, or of one connection alone. */
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

export const UPLOAD_FORMATS = ['pdf', 'xlsx', 'csv'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

export const UPLOAD_STATUSES = ['pending', 'uploaded', 'rejected', 'expired'] as const
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** `used`: an order's lines cite it (choices, Holds). */
export const HOLD_STATUSES = ['held', 'released', 'expired', 'used'] as const
export type HoldStatus = (typeof HOLD_STATUSES)[number]

/** Every scope with the scopes it implies (choices, Identity: a wider scope implies its reads). */
export const SCOPES = {
  'orders:write': ['orders:read', 'catalog:read'],
  'orders:approve': ['orders:read'],
  'catalog:write': ['catalog:read'],
  'webhooks:write': [],
  'settlement:read': [],
  'audit:read': [],
  'orders:read': [],
  'catalog:read': [],
} as const satisfies Record<string, readonly string[]>
export type Scope = keyof typeof SCOPES

/** The scopes that a credential of a side may hold. */
export const SIDE_SCOPES: Record<Side, readonly Scope[]> = {
  buyer: ['orders:write', 'webhooks:write', 'settlement:read', 'orders:read', 'catalog:read', 'audit:read'],
  seller: ['orders:approve', 'catalog:write', 'webhooks:write', 'settlement:read', 'orders:read', 'catalog:read', 'audit:read'],
}

/** What the audit log of a tenant records. */
export const SECURITY_ACTIONS = [
  'sign_in.refused',
  'token.issued',
  'token.revoked',
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
] as const
export type SecurityAction = (typeof SECURITY_ACTIONS)[number]

/** Through what somebody acted. */
export const SECURITY_VIAS = ['api', 'command_line', 'platform'] as const
export type SecurityVia = (typeof SECURITY_VIAS)[number]

export const STAGES = ['authentication', 'request', 'validation', 'pricing', 'inventory', 'approval', 'negotiation', 'platform'] as const
export type Stage = (typeof STAGES)[number]

/** Every error code with its HTTP status, the stage it belongs to, and whether the same caller can recover by changing the request or trying again. */
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

/** Codes that a line of an order may be refused with beside INVALID_INPUT. */
export const LINE_ERRORS = ['GRAIN_NOT_OFFERED', 'UNKNOWN_CREATIVE', 'REFERENCE_ARCHIVED', 'CREATIVE_LENGTH_MISMATCH'] as const

/** What came of the entries of a publish, all of them together. */
export const PUBLISH_RESULTS = ['success', 'partial', 'none'] as const
export type PublishResult = (typeof PUBLISH_RESULTS)[number]

/** Codes of single entries of a publish; they never stand for a whole request. */
export const ENTRY_ERRORS = ['UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY'] as const
export type EntryErrorCode = (typeof ENTRY_ERRORS)[number]

/** Codes of warnings: on a create or its dry run, on an entry of a publish, on a profile, and on any body. */
export const ORDER_WARNINGS = ['DATE_GRAIN_AVAILS_MISSING', 'ABOVE_PUBLISHED_AVAIL'] as const
export const ENTRY_WARNINGS = ['UNPRICED_DECLARATION', 'UNORDERABLE_PRICE', 'UNSOLD_PERIOD', 'MORE_WARNINGS', 'UNKNOWN_MEMBER'] as const
export type EntryWarningCode = (typeof ENTRY_WARNINGS)[number]
export const PROFILE_WARNING = 'SECRET_MISSING'
export type WarningCode = (typeof ORDER_WARNINGS)[number] | EntryWarningCode | typeof PROFILE_WARNING

/** What an order's run says about itself in the Temporal UI; a server must know these names before the first order. */
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

/** What one publish may carry: its reply names every entry that fails, and must stay a reply. */
export const ENTRIES_PER_PUBLISH = 100_000

/** What an order, and the orders of an agreement together, come to at most: with two decimals a JSON number carries no more exactly. */
export const MOST_GROSS = 9_999_999_999_999.99
/** Impressions that an order guarantees at most, per audience, for the same reason. */
export const MOST_IMPRESSIONS = 999_999_999_999_999
/** Units of a line. */
export const MOST_UNITS = 1_000_000_000

export const LINES_PER_ORDER = 500
/** Of an order and its revisions together, since one that is placed ends all the others. */
export const ORDERS_PER_FAMILY = 1_000
/** Faults that one refusal tells: who sends more of them will not read them all. */
export const FAULTS_TOLD = 1_000
/** With the counters of every round, since each event of a decision carries them all. */
export const LINES_WITH_COUNTERS = 2_000
/** Characters of an order's log, every event of it read at each of its commands, beyond which it takes no more counters and plans. */
export const LOG_CHARACTERS = 16 * 1024 * 1024
/** Bytes of a publish: room for 100,000 entries. */
export const PUBLISH_BYTES = 32 * 1024 * 1024
