import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { Product } from '../../contract/product.ts'
import { finerThanCurrency } from '../../contract/vocabulary/minorUnits.ts'
import { addMinutes, type Instant, isPeriodStart } from '../calendar.ts'
import { bookedDates } from '../lines/allocation.ts'
import { checkDates } from '../lines/checkLine.ts'
import { checkFlight } from '../lines/flight.ts'
import { bookingOf, counteredLine } from '../lines/lineResult.ts'
import type { RateOnCard } from '../lines/pricing.ts'
import type { Quote } from '../lines/quote.ts'
import { invalid } from '../refusal.ts'
import type { CounterLine } from './openCounters.ts'

/** The inputs of a decision with counters: the published state that the countered lines name, and ids for new lines and quotes. */
export interface CounterTerms {
  now: Instant
  quote_ttl_minutes: number
  products: readonly Product[]
  /** The prices that the countered lines cite. */
  cited: readonly RateOnCard[]
  /** One pair per counter entry, in order. */
  ids: readonly { unit_id: string; locked_rate_id: string }[]
}

export interface MadeCounter {
  line: CounterLine
  booking: LineBooking
  quote: Quote
}

type CounterSent = NonNullable<NonNullable<DecideOrder['units']>[number]['counter']>

/**
 * Makes the line of a counter: the units of the countered line in another week or at another price, citing a quote that is published with it
 * (choices, decide). Nothing is accepted yet, but the air dates are fixed. `impressions_per_unit` are those of the countered line.
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
  const { hold_id: _held, ...like } = counteredLine(ask, null) // the hold belongs to the countered line
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
    booking: bookingOf({
      unit_id,
      booked_dates: bookedDates(product, period),
      impressions_per_unit,
      timezone: product.definition.timezone,
    }),
    quote: { ...key, ...costs, locked_rate_id, weeks: [week], quote_expires_at },
  }
}

/** Returns the faults of a counter's figures: it keeps the line's basis, names a week in which the product airs, and expires in the future. */
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
  if (sent[other] !== undefined) faults.push(invalid(`${at}.${other}`, `${at}.${other} must not be sent: the line is priced by ${basis}.`))
  else if (sent[basis] === undefined) faults.push({ ...invalid(`${at}.${basis}`, `${at}.${basis} is required`), missing: true })
  const tooFine = finerThanCurrency(sent[basis] ?? 0, ask.rate.currency)
  if (tooFine !== undefined) faults.push(invalid(`${at}.${basis}`, `${at}.${basis} ${tooFine}.`))
  const expiry = sent.quote_expires_at
  if (expiry !== undefined && (Date.parse(expiry) <= Date.parse(now) || expiry >= '3000')) {
    faults.push(invalid(`${at}.quote_expires_at`, `${at}.quote_expires_at must be in the future; ${expiry} was sent.`))
  }
  if (!isPeriodStart('week', sent.week)) return [...faults, invalid(`${at}.week`, `${sent.week} does not exist.`)]
  const { product } = publishedSide(ask, products, cited)
  const period = { grain: 'week', start: sent.week } as const
  const dates = bookedDates(product, period)
  const outside = checkFlight(flight, 0, period, dates).map(({ details }) =>
    invalid(`${at}.week`, `The counter can land on ${details?.date}, which is outside the flight of the order.`),
  )
  return [...faults, ...checkDates(product, dates, `${at}.week`), ...outside]
}

/** Returns the cost basis of the countered line, which its counter keeps (choices, decide). */
function basisOf({ rate }: LineResult): 'unit_cost' | 'cpm' {
  return rate.unit_cost === undefined ? 'cpm' : 'unit_cost'
}

/** Finds the product and price of a line. Both exist, since products are never deleted and prices never change, and are read with the line. */
function publishedSide({ product_id, rate }: LineResult, products: readonly Product[], cited: readonly RateOnCard[]) {
  const product = products.find((each) => each.product_id === product_id)
  const price = cited.find((each) => each.locked_rate_id === rate.locked_rate_id)
  if (product === undefined || price === undefined) throw new Error(`there are no terms for ${product_id} at ${rate.locked_rate_id}`)
  return { product, price }
}
