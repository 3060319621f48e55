/** The closed vocabularies of the contract. Has only constants and types, so the pure rules can import it without zod. */

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
/** The answers of a buyer to a counter; `counter` is in the contract but not supported (contract, Respond). */
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

/** The commands on an order. `withdraw` is a respond that can only withdraw, since no quote can be accepted any more. */
export const ORDER_ACTIONS = ['confirm', 'respond', 'withdraw', 'cancel', 'decide', 'plan'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

export const UPLOAD_FORMATS = ['pdf', 'xlsx', 'csv'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

/** What a person is asked about a document. */
export const QUESTION_KINDS = ['option', 'role', 'basis', 'product', 'fee', 'bonus', 'year', 'weeks', 'row'] as const
/**
 * How a document says when its lines air: a column for each week, day or month; a row for each week, with its units or those of its days; rows of weeks
 * below a line; spots a week of a span; or a date, a period or a span in each row.
 */
export const LAYOUT_FAMILIES = [
  'week_columns',
  'day_columns',
  'month_columns',
  'row_a_week',
  'days_of_a_week',
  'weeks_below',
  'weeks_times_spots',
  'dated_rows',
] as const
export type LayoutFamily = (typeof LAYOUT_FAMILIES)[number]
/** What the totals that a document states prove of its reading. */
export const PROOF_LEVELS = ['proven', 'partial', 'unproven', 'contradicted'] as const

export const UPLOAD_STATUSES = ['pending', 'uploaded', 'rejected', 'expired'] as const
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** `used`: an order's lines cite the hold (choices, Holds). */
export const HOLD_STATUSES = ['held', 'released', 'expired', 'used'] as const
export type HoldStatus = (typeof HOLD_STATUSES)[number]

/** The overall result of a publish. */
export const PUBLISH_RESULTS = ['success', 'partial', 'none'] as const
export type PublishResult = (typeof PUBLISH_RESULTS)[number]
