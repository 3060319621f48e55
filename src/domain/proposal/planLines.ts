import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import type { PlanLine } from '../../contract/postPlan.ts'
import type { Product } from '../../contract/product.ts'
import { MOST_UNITS } from '../../contract/vocabulary.ts'
import { type Instant, isPeriodStart, weeksOfPeriod } from '../calendar.ts'
import { type Decimal, decimal, jsonNumber } from '../decimal.ts'
import { checkLine, deliveredPerUnit, disclosedAvails, type LineTerms } from '../lines/checkLine.ts'
import { checkTotals, grossOf } from '../lines/checkTotals.ts'
import { pendingLine } from '../lines/lineResult.ts'
import type { RateOnCard } from '../lines/pricing.ts'
import type { Quote } from '../lines/quote.ts'
import { invalid } from '../refusal.ts'
import { type MintTerms, mintProducts } from './mintProducts.ts'

/** What a plan's lines are held against: what a line of the buyer's own would be, and what only a plan may bring. */
export interface PlanTerms extends LineTerms, MintTerms {
  /** Whom the plan is for. */
  buyer_entity: string
  /** The order's one trade currency. */
  currency: string
  /** Products that earlier plans had minted for this buyer. */
  minted: ReadonlySet<string>
}

/** One id of each kind per line, used or not. */
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
  /** What the lines come to. */
  gross: Decimal
}

/**
 * The lines of a plan as they would be booked, with the prices and products to be published for them; `faults` is everything that is wrong
 * with any of them. `earliest` is when the first price that they cite lapses.
 */
export function planLines(
  items: readonly PlanLine[],
  terms: PlanTerms,
  ids: PlanIds,
): { faults: Fault[]; earliest: Instant | undefined; planned: PlannedLines } {
  const minting = mintProducts(items, terms, ids.product_ids)
  const faults = [...minting.faults]
  const planned: PlannedLines = { lines: [], bookings: [], quotes: [], minted: minting.minted, gross: decimal(0) }
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
    const { unit_id, booked_dates, impressions_per_unit } = checked.facts
    planned.bookings.push({ unit_id, booked_dates, ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }) })
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
  return { faults, earliest: lapses.sort()[0], planned }
}

/** The quote of a line, over every week that its period touches. Of a start that does not exist `checkLine` tells. */
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

/** When the published price that a line cites lapses, if it does. */
function lapseOf({ rate }: PlanLine, { cited }: LineTerms): Instant | undefined {
  const until = cited.find(({ locked_rate_id }) => locked_rate_id === rate.locked_rate_id)?.quote_expires_at
  return until ? new Date(until).toISOString() : undefined
}

/** A quote as the price on the card that it will be. */
function rateOf({ weeks: _, ...quote }: Quote, week: string, visible_to: string): RateOnCard {
  return { ...quote, week, agreement_id: null, visible_to }
}

/** The line as a buyer would have ordered it. What its price guarantees is said on the line: a plan's lines are read without the card. */
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

/** The units sent, or those that the goal takes: goal by what a unit delivers, rounded up (choices, Proposals and plans). */
function unitsOf({ units, impressions_goal }: PlanLine, item: LineItem, terms: LineTerms, at: string): { units: number; faults: Fault[] } {
  if (impressions_goal === undefined) return { units: units as number, faults: [] }
  const product = terms.products.find(({ product_id }) => product_id === item.product_id)
  const cited = terms.cited.find(({ locked_rate_id }) => locked_rate_id === item.rate.locked_rate_id)
  const each = product && cited && deliveredPerUnit(item, cited, disclosedAvails(product, terms))
  if (each === undefined || each === 0) {
    const message = 'No impressions per unit are published for this line: say the units that its goal takes.'
    return { units: units ?? 1, faults: units === undefined && cited !== undefined ? [invalid(`${at}.units`, message)] : [] }
  }
  const needed = jsonNumber(decimal(impressions_goal).div(decimal(each)).round(0, 3))
  if (needed > MOST_UNITS) {
    const message = `${impressions_goal} impressions take ${needed} units; a line has at most ${MOST_UNITS}.`
    return { units: units ?? 1, faults: [invalid(`${at}.impressions_goal`, message)] }
  }
  if (units === undefined || units === needed) return { units: needed, faults: [] }
  return { units, faults: [invalid(`${at}.units`, `${impressions_goal} impressions take ${needed} units: send one of the two.`)] }
}

function checkCurrency({ rate }: PlanLine, index: number, currency: string): Fault[] {
  if (rate.currency === currency) return []
  return [invalid(`line_items.${index}.rate.currency`, `The order is in ${currency}: ${rate.currency} cannot stand beside it.`)]
}
