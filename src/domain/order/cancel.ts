import type { CancelOrder, CancelReply } from '../../contract/cancelOrder.ts'
import type { Cancellation } from '../../contract/order.ts'
import { dateOf, daysBetween, type Instant, type IsoDate, localDate } from '../calendar.ts'
import { decimal, jsonNumber, money } from '../decimal.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import { isCounter } from './openCounters.ts'
import { totals } from './snapshot.ts'
import type { OrderState } from './state.ts'
import { nextStatus } from './transitions.ts'

/** Cancels an order. A repeated cancel appends no event and returns the stored block (contract, Cancel). */
export function cancel(order: OrderState, request: CancelOrder, asOf: Instant): Decision<CancelReply> {
  if (order.status === 'canceled') return unchanged(canceledReply)
  const status = nextStatus(order, 'cancel')
  const cancellation = cancellationBlock(
    order,
    { reason: request.reason ?? 'buyer_canceled', actor: request.actor ?? order.facts.buyer_entity },
    asOf,
  )
  return decided([{ status, cancellation }], canceledReply)
}

function canceledReply({ facts, last_seq, cancellation }: OrderState): CancelReply {
  return { order_id: facts.order_id, status: 'canceled', last_seq, cancellation: cancellation as Cancellation }
}

/**
 * Builds the cancellation block (contract, Cancellation; choices, cancel). The verdict is `not_applicable` without terms or if nothing is placed.
 * Figures are present if the order has terms and a first air date. Days are calendar days to the first air date, in the time zone of its
 * product.
 */
export function cancellationBlock(order: OrderState, { reason, actor }: { reason: string; actor: string }, asOf: Instant): Cancellation {
  const terms = order.facts.cancellation_terms
  if (terms === null) return { reason, actor, late_notice: 'not_applicable' }
  const first_air_date = firstAirDate(order)
  if (first_air_date === undefined) return { reason, actor, late_notice: 'not_applicable' }
  const given = daysBetween(latestDateOn(order, first_air_date, asOf), first_air_date)
  const placed = order.status === 'placed'
  const late = given < terms.notice_days
  const fee = terms.late_fee_pct
  return {
    reason,
    actor,
    late_notice: placed ? (late ? 'late' : 'on_time') : 'not_applicable',
    notice: {
      terms,
      measured_at: new Date(asOf).toISOString(),
      first_air_date,
      notice_days_given: given,
      notice_days_required: terms.notice_days,
      ...(placed && late && fee !== undefined ? { fee_pct: fee, fee_amount: feeAmount(order, fee) } : {}),
    },
  }
}

/** Returns late_fee_pct of the accepted totals.gross, rounded half up. */
function feeAmount(order: OrderState, pct: number): number {
  const { gross, currency } = totals(order)
  return jsonNumber(money(decimal(gross).times(decimal(pct)).div(decimal(100)), currency))
}

/** Returns the date of an instant in the time zone of the line that books a date; the latest if several lines do, in UTC if none does. */
function latestDateOn({ bookings }: OrderState, date: IsoDate, instant: Instant): IsoDate {
  const zoned = bookings.filter(({ booked_dates }) => booked_dates.includes(date)).map(({ timezone }) => localDate(instant, timezone))
  return zoned.sort().at(-1) ?? dateOf(instant)
}

/** Returns the earliest accepted date; if nothing is accepted, the earliest requested date, or without lines the start of the flight. */
export function firstAirDate(order: OrderState): IsoDate | undefined {
  const accepted = order.lines.flatMap((line) => line.allocation.map(({ date }) => date))
  const asked = new Set(order.lines.filter((line) => !isCounter(line)).map(({ unit_id }) => unit_id))
  const dates = accepted.length > 0 ? accepted : order.bookings.flatMap((line) => (asked.has(line.unit_id) ? line.booked_dates : []))
  return [...dates].sort()[0] ?? (order.request.flight ?? order.request.request?.flight)?.start
}
