import type { OrderEvent, RateDrift } from '../../contract/event.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import { ERRORS } from '../../contract/vocabulary/codes.ts'
import type { AvailBasis, AvailState } from '../../contract/vocabulary.ts'
import { weeksOfPeriod } from '../calendar.ts'
import { jsonNumber } from '../decimal.ts'
import { isUnavailable, type PublishedAvail } from '../lines/availability.ts'
import { costOf, type RateOnCard, sameKey, samePrice } from '../lines/pricing.ts'
import { type Decision, decided, type EventDraft, unchanged } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type OrderPosition, positionOf } from './transitions.ts'

/** The published state at validation. */
export interface Market {
  /** The cited prices. */
  cited: readonly RateOnCard[]
  /** The newest price for each cited key in the weeks of the lines. */
  card: readonly RateOnCard[]
  avails: readonly PublishedAvail[]
  /** The live answer of the seller's own API, if it was asked; it takes precedence over published avails. */
  live?: LiveAvailability
}

export type LiveAvailability = readonly { unit_id: string; state: AvailState; basis: AvailBasis }[]

/**
 * Validates an order (contract, Order states): a stale price or missing inventory fails it with the error envelope; otherwise it goes to the seller. A
 * confirmed order was checked at the confirm and goes to the seller directly. An order past this step does not change, since the workflow may
 * run this twice.
 */
export function validate(order: OrderState, market: Market): Decision<OrderPosition> {
  if (order.status === 'confirmed') return decided([{ status: nextStatus(order, 'review') }], positionOf)
  if (order.status !== 'submitted' && order.status !== 'validating') return unchanged(positionOf)
  if (order.facts.workflow !== 'catalog') return beginWithoutLines(order)
  const begun: EventDraft[] = order.status === 'submitted' ? [{ status: nextStatus(order, 'begin') }] : []
  const validating = { status: 'validating', last_seq: order.last_seq } as const
  const asked = market.live === undefined || market.live.length === 0 ? {} : { units: order.lines.map((line) => withLive(line, market)) }
  const error = staleError(order.lines, market) ?? inventoryError(order.lines, market)
  if (error !== undefined) return decided([...begun, { status: nextStatus(validating, 'fail'), ...asked, error }], positionOf)
  const uploads = (order.request.attachments ?? []).map(({ upload_id }) => upload_id)
  const review = { status: nextStatus(validating, 'pass'), ...asked, ...(uploads.length > 0 ? { upload_ids: uploads } : {}) }
  return decided([...begun, review], positionOf)
}

/** Moves an order to validating before the seller's own API is asked. */
export function beginValidation(order: OrderState): Decision<OrderPosition> {
  return order.status === 'submitted' ? decided([{ status: nextStatus(order, 'begin') }], positionOf) : unchanged(positionOf)
}

/** Starts an order without lines: a proposal waits for its plan, a document for its reading (choices, States). */
function beginWithoutLines(order: OrderState): Decision<OrderPosition> {
  if (order.status !== 'submitted') return unchanged(positionOf)
  const awaiting = order.facts.workflow === 'proposal' ? ({ substatus: 'awaiting_plan' } as const) : {}
  return decided([{ status: nextStatus(order, 'begin'), ...awaiting }], positionOf)
}

/**
 * Returns an error if the cited key has another price on the current card or the cited quote has ended. The same price on a newer commit is not
 * drift (choices, Stale).
 */
function staleError(lines: readonly LineResult[], { cited, card }: Market): OrderEvent['error'] {
  const ended_quotes = lines.flatMap(({ unit_id, rate }) => {
    const ended = cited.find(({ locked_rate_id }) => locked_rate_id === rate.locked_rate_id)?.quote_ended
    return ended ? [{ unit_id, locked_rate_id: rate.locked_rate_id, reason: ended }] : []
  })
  const rate_drift: RateDrift[] = lines.flatMap((line) => {
    const citation = cited.find(({ locked_rate_id }) => locked_rate_id === line.rate.locked_rate_id)
    if (citation === undefined || citation.visible_to !== null) return [] // a quote keeps its price until it ends
    const weeks = weeksOfPeriod(line.period.grain, line.period.start)
    const drifted = card.find((rate) => sameKey(rate, citation) && weeks.includes(rate.week) && !samePrice(rate, citation))
    if (drifted === undefined) return []
    const { unit_id, rate } = line
    return [{ unit_id, locked_rate_id: rate.locked_rate_id, cited: jsonNumber(costOf(citation)), current: jsonNumber(costOf(drifted)) }]
  })
  if (rate_drift.length === 0 && ended_quotes.length === 0) return undefined
  return failure('STALE_RATE_CARD', 'Prices changed after they were cited. Refresh the card and order again.', {
    ...(rate_drift.length > 0 ? { rate_drift } : {}),
    ...(ended_quotes.length > 0 ? { ended_quotes } : {}),
  })
}

/** Returns the line with the availability that the seller's own API reported. */
function withLive(line: LineResult, { live }: Market): LineResult {
  const said = live?.find(({ unit_id }) => unit_id === line.unit_id)
  if (said === undefined) return line
  const { state, basis } = said
  return { ...line, availability: { state, basis, sellout_level: line.availability?.sellout_level ?? null } }
}

/**
 * Returns an error if the live answer, or else a published avail of the line, is `unavailable`; counts never decide (choices, Inventory). A line
 * with a hold ignores published avails, which exclude held inventory (choices, Holds).
 */
function inventoryError(lines: readonly LineResult[], { avails, live }: Market): OrderEvent['error'] {
  const isNone = (line: LineResult) => {
    const said = live?.find(({ unit_id }) => unit_id === line.unit_id)
    return said === undefined ? line.hold_id === undefined && isUnavailable(line, avails) : said.state === 'unavailable'
  }
  const unavailable = lines.filter(isNone).map(({ unit_id }) => unit_id)
  if (unavailable.length === 0) return undefined
  return failure('INVENTORY_UNAVAILABLE', 'The seller has no inventory for at least one line.', { unit_ids: unavailable })
}

function failure(
  code: 'STALE_RATE_CARD' | 'INVENTORY_UNAVAILABLE',
  message: string,
  details: Record<string, unknown>,
): NonNullable<OrderEvent['error']> {
  const { stage, recoverable } = ERRORS[code]
  return { error_code: code, error_message: message, stage, recoverable, details }
}
