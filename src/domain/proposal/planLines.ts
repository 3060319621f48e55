import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import type { PlanLine } from '../../contract/planOrder.ts'
import type { Product } from '../../contract/product.ts'
import { MAX_UNITS } from '../../contract/vocabulary/bounds.ts'
import { type Instant, isPeriodStart, weeksOfPeriod } from '../calendar.ts'
import { type Decimal, decimal, jsonNumber } from '../decimal.ts'
import { checkLine, deliveredPerUnit, disclosedAvails, type LineTerms } from '../lines/checkLine.ts'
import { checkTotals, exactGrossOf, grossOf } from '../lines/checkTotals.ts'
import { bookingOf, pendingLine } from '../lines/lineResult.ts'
import type { RateOnCard } from '../lines/pricing.ts'
import type { Quote } from '../lines/quote.ts'
import { invalid } from '../refusal.ts'
import { type MintTerms, mintProducts } from './mintProducts.ts'

/** The state that a plan's lines are checked against: that of a buyer's own line, plus the inputs of quotes and new products. */
export interface PlanTerms extends LineTerms, MintTerms {
  /** The buyer that the plan is for. */
  buyer_entity: string
  /** The trade currency of the order. */
  currency: string
  /** Products that earlier plans minted for this buyer. */
  minted: ReadonlySet<string>
}

/** One id of each kind per line, whether it is used or not. */
export interface PlanIds {
  unit_ids: readonly string[]
  product_ids: readonly string[]
  locked_rate_ids: readonly string[]
}

export interface PlannedLines {
  lines: LineResult[]
  bookings: LineBooking[]
  quotes: Quote[]
  minted: Product[]
  /** The total of the lines, each rounded once. */
  gross: Decimal
  /** Their total before any rounding. */
  exactGross: Decimal
}

/**
 * Returns the lines of a plan as they would be booked, with the prices and products to publish for them, and all of their faults. `earliest` is
 * when the first cited price lapses.
 */
export function planLines(
  items: readonly PlanLine[],
  terms: PlanTerms,
  ids: PlanIds,
): { faults: Fault[]; earliest: Instant | undefined; planned: PlannedLines } {
  const minting = mintProducts(items, terms, ids.product_ids)
  const faults = [...minting.faults]
  const planned: PlannedLines = { lines: [], bookings: [], quotes: [], minted: minting.minted, gross: decimal(0), exactGross: decimal(0) }
  const products = [...terms.products, ...minting.minted]
  const lapses: Instant[] = []
  items.forEach((line, index) => {
    const product_id = minting.productOf(index) ?? line.product_id ?? ''
    const quote = quoteOf(line, product_id, ids.locked_rate_ids[index] as string)
    const quoted = quote === undefined ? [] : quote.weeks.map((week) => rateOf(quote, week, terms.buyer_entity))
    const own = { ...terms, products, cited: [...terms.cited, ...quoted.slice(0, 1)], card: [...terms.card, ...quoted] }
    const lapse = quote?.quote_expires_at ?? lapseOf(line, terms)
    if (lapse !== undefined) lapses.push(lapse)
    const item = itemOf(line, product_id, quote, own.cited, lapse)
    const units = unitsOf(line, item, own, `line_items.${index}`)
    const checked = checkLine({ ...item, units: units.units }, index, own, ids.unit_ids[index] as string)
    faults.push(...('faults' in checked ? checked.faults : []), ...units.faults, ...checkCurrency(line, index, terms.currency))
    if ('faults' in checked) return
    planned.bookings.push(bookingOf(checked.facts))
    planned.lines.push({
      ...pendingLine({ ...item, units: units.units }, checked.facts),
      ...(line.impressions_goal === undefined ? {} : { num_requested: line.impressions_goal }),
      ...(line.product !== undefined || terms.minted.has(product_id) ? { minted: true as const } : {}),
    })
    if (quote !== undefined) planned.quotes.push(quote)
  })
  const ofUnit = new Map(planned.bookings.map((booking) => [booking.unit_id, booking.impressions_per_unit]))
  const ordered = planned.lines.map((line) => ({ line, impressions_per_unit: ofUnit.get(line.unit_id) }))
  faults.push(...checkTotals(ordered, [], 'The plan', 'line_items'))
  planned.gross = grossOf(ordered)
  planned.exactGross = exactGrossOf(ordered)
  return { faults, earliest: lapses.sort()[0], planned }
}

/** Returns the quote of a line for every week of its period. `checkLine` reports a start that does not exist. */
function quoteOf({ quote, rate, period, spot_length }: PlanLine, product_id: string, locked_rate_id: string): Quote | undefined {
  if (quote === undefined) return undefined
  const weeks = isPeriodStart(period.grain, period.start) ? weeksOfPeriod(period.grain, period.start) : [period.start]
  const { market_class, advertiser_class, buy_type, clearance_tier, currency, guaranteed_impressions, audience_code } = rate
  return {
    locked_rate_id,
    product_id,
    weeks: weeks as [string, ...string[]],
    market_class,
    advertiser_class,
    spot_length,
    buy_type,
    clearance_tier: clearance_tier ?? null,
    gross_rate_unit: quote.unit_cost === undefined ? null : decimal(quote.unit_cost).toFixed(),
    gross_rate_cpm: quote.cpm === undefined ? null : decimal(quote.cpm).toFixed(),
    currency,
    guaranteed_impressions: guaranteed_impressions ?? null,
    audience_code: audience_code ?? null,
    quote_expires_at: new Date(quote.expires_at).toISOString(),
  }
}

/** Returns when the published price that a line cites lapses; undefined if it does not. */
function lapseOf({ rate }: PlanLine, { cited }: LineTerms): Instant | undefined {
  const until = cited.find(({ locked_rate_id }) => locked_rate_id === rate.locked_rate_id)?.quote_expires_at
  return until ? new Date(until).toISOString() : undefined
}

/** Converts a quote to its price on the card. */
function rateOf({ weeks: _, ...quote }: Quote, week: string, visible_to: string): RateOnCard {
  return { ...quote, week, agreement_id: null, visible_to }
}

/** Returns a create line. It carries the guarantee of its price, since a plan's lines are read without the card. */
function itemOf(
  { rate, quote, ...line }: PlanLine,
  product_id: string,
  published: Quote | undefined,
  cited: readonly RateOnCard[],
  lapse: Instant | undefined,
): LineItem {
  const { quote_expires_at: _, ...priced } = rate
  const locked_rate_id = published?.locked_rate_id ?? rate.locked_rate_id ?? ''
  const guaranteed =
    rate.guaranteed_impressions ?? cited.find((price) => price.locked_rate_id === locked_rate_id)?.guaranteed_impressions ?? undefined
  return {
    product_id,
    period: line.period,
    units: line.units ?? 1,
    spot_length: line.spot_length,
    ...(line.include_mirror === undefined ? {} : { include_mirror: line.include_mirror }),
    ...(line.rc_impressions === undefined ? {} : { rc_impressions: line.rc_impressions }),
    rate: {
      ...priced,
      ...(quote?.unit_cost === undefined ? {} : { unit_cost: quote.unit_cost }),
      ...(quote?.cpm === undefined ? {} : { cpm: quote.cpm }),
      ...(guaranteed === undefined ? {} : { guaranteed_impressions: guaranteed }),
      locked_rate_id,
      ...(lapse === undefined ? {} : { quote_expires_at: lapse }),
    },
  }
}

/** Returns the sent units, or those that reach the goal: goal divided by the impressions of a unit, rounded up (choices, Proposals and plans). */
function unitsOf({ units, impressions_goal }: PlanLine, item: LineItem, terms: LineTerms, at: string): { units: number; faults: Fault[] } {
  if (impressions_goal === undefined) return { units: units as number, faults: [] }
  const product = terms.products.find(({ product_id }) => product_id === item.product_id)
  const cited = terms.cited.find(({ locked_rate_id }) => locked_rate_id === item.rate.locked_rate_id)
  const each = product && cited && deliveredPerUnit(item, cited, disclosedAvails(product, terms))
  if (each === undefined || each === 0) {
    const message = `${at}.units is required: no impressions per unit are published, so impressions_goal cannot be converted.`
    return { units: units ?? 1, faults: units === undefined && cited !== undefined ? [invalid(`${at}.units`, message)] : [] }
  }
  const needed = jsonNumber(decimal(impressions_goal).div(decimal(each)).round(0, 3))
  if (needed > MAX_UNITS) {
    const message = `${at}.impressions_goal must not need more than ${MAX_UNITS} units; ${impressions_goal} impressions need ${needed}.`
    return { units: units ?? 1, faults: [invalid(`${at}.impressions_goal`, message)] }
  }
  if (units === undefined || units === needed) return { units: needed, faults: [] }
  return {
    units,
    faults: [
      invalid(
        `${at}.units`,
        `${at}.units must be ${needed} for ${impressions_goal} impressions; ${units} was sent. Send only one of units and impressions_goal.`,
      ),
    ],
  }
}

function checkCurrency({ rate }: PlanLine, index: number, currency: string): Fault[] {
  if (rate.currency === currency) return []
  const field = `line_items.${index}.rate.currency`
  return [invalid(field, `${field} must be ${currency}, the currency of the order; ${rate.currency} was sent.`)]
}
