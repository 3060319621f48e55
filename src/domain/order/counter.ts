import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { Product } from '../../contract/product.ts'
import { addMinutes, type Instant, isPeriodStart } from '../calendar.ts'
import { bookedDates } from '../lines/allocation.ts'
import { checkDates } from '../lines/checkLine.ts'
import { checkFlight } from '../lines/flight.ts'
import { counteredLine } from '../lines/lineResult.ts'
import type { RateOnCard } from '../lines/pricing.ts'
import type { Quote } from '../lines/quote.ts'
import { invalid, Refusal } from '../refusal.ts'
import type { CounterLine } from './standingCounters.ts'

/** What a decision with counters goes by: the seller's published side as far as its asks name it, and ids for what it makes. */
export interface CounterTerms {
  now: Instant
  quote_ttl_minutes: number
  products: readonly Product[]
  /** The prices that the asks cite. */
  cited: readonly RateOnCard[]
  /** One pair for each counter entry, in their order. */
  ids: readonly { unit_id: string; locked_rate_id: string }[]
}

export interface MadeCounter {
  line: CounterLine
  booking: LineBooking
  quote: Quote
}

type CounterSent = NonNullable<NonNullable<DecideOrder['units']>[number]['counter']>

/**
 * A counter becomes a new line beside its ask: the ask's units in another week or at another price, under the locked_rate_id of a quote that
 * is published with it (choices, decide). Nothing of it is accepted yet; the dates that it would air are fixed. `impressions_per_unit` are
 * those of the ask.
 */
export function makeCounter(
  ask: LineResult,
  sent: CounterSent,
  ids: CounterTerms['ids'][number],
  impressions_per_unit: number | undefined,
  { now, quote_ttl_minutes, products, cited }: CounterTerms,
): MadeCounter {
  const { product, price } = publishedSide(ask, products, cited)
  const { week } = sent
  const period = { grain: 'week', start: week } as const
  const until = sent.quote_expires_at
  const quote_expires_at = until === undefined ? addMinutes(now, quote_ttl_minutes) : new Date(until).toISOString()
  const basis = basisOf(ask)
  const cost = sent[basis] as number
  const { unit_id, locked_rate_id } = ids
  const { rate } = ask
  const { hold_id: _held, ...like } = counteredLine(ask, null) // what was held is the ask's
  const line: CounterLine = {
    ...like,
    unit_id,
    period,
    rate: { ...rate, [basis]: cost, locked_rate_id, quote_expires_at },
    availability: ask.period.start === week ? ask.availability : null,
    in_response_to: ask.unit_id,
    counter: { week, [basis]: cost, quote_expires_at },
    locked_rate_id,
  }
  const { agreement_id: _scope, visible_to: _buyer, week: _week, ...key } = price
  const costs = { gross_rate_unit: basis === 'unit_cost' ? String(cost) : null, gross_rate_cpm: basis === 'cpm' ? String(cost) : null }
  return {
    line,
    booking: {
      unit_id,
      booked_dates: bookedDates(product, period),
      ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }),
    },
    quote: { ...key, ...costs, locked_rate_id, weeks: [week], quote_expires_at },
  }
}

/** What is wrong with the figures of a counter: its basis is the ask's, its week one in which the product airs, its quote one that stands. */
export function faultsOfCounter(
  ask: LineResult,
  sent: CounterSent,
  flight: Parameters<typeof checkFlight>[0],
  { now, products, cited }: CounterTerms,
  at: string,
): Fault[] {
  const faults: Fault[] = []
  const basis = basisOf(ask)
  const other = basis === 'cpm' ? 'unit_cost' : 'cpm'
  if (sent[other] !== undefined) faults.push(invalid(`${at}.${other}`, `The line is priced by ${basis}: so is its counter.`))
  else if (sent[basis] === undefined) faults.push({ ...invalid(`${at}.${basis}`, `${at}.${basis} is required`), missing: true })
  const expiry = sent.quote_expires_at
  if (expiry !== undefined && (Date.parse(expiry) <= Date.parse(now) || expiry >= '3000')) {
    faults.push(invalid(`${at}.quote_expires_at`, `A quote must stand for a while: ${expiry} is not ahead.`))
  }
  if (!isPeriodStart('week', sent.week)) return [...faults, invalid(`${at}.week`, `There is no week ${sent.week}.`)]
  const { product } = publishedSide(ask, products, cited)
  const period = { grain: 'week', start: sent.week } as const
  const dates = bookedDates(product, period)
  const outside = checkFlight(flight, 0, period, dates).map(({ details }) =>
    invalid(`${at}.week`, `The counter can land on ${details?.date}, which lies outside the order's flight.`),
  )
  return [...faults, ...checkDates(product, dates, `${at}.week`), ...outside]
}

/** A counter is made on the basis of its ask (choices, decide). */
function basisOf({ rate }: LineResult): 'unit_cost' | 'cpm' {
  return rate.unit_cost === undefined ? 'cpm' : 'unit_cost'
}

/** Products are never deleted and prices never change: what an ask names is there. */
function publishedSide({ product_id, rate }: LineResult, products: readonly Product[], cited: readonly RateOnCard[]) {
  const product = products.find((each) => each.product_id === product_id)
  const price = cited.find((each) => each.locked_rate_id === rate.locked_rate_id)
  if (product === undefined || price === undefined) {
    throw new Refusal('UNAVAILABLE', 'The order changed while this decision came in. Send it again.') // its lines were others when they were read
  }
  return { product, price }
}
