import type { UnresolvedValue } from '../../contract/documentParse.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import { disclosureFor, type Overrides } from '../agreement/disclosure.ts'
import { sellsAt } from '../agreement/quotedPricing.ts'
import { weeksOfPeriod } from '../calendar.ts'
import { decimal, jsonNumber, sameAmount } from '../decimal.ts'
import { availRate, type CardPrice } from '../discovery/availRate.ts'
import { type DraftLine, readOf, unresolvedOf } from './draftLines.ts'
import type { ReadLine } from './reading.ts'
import { readBuyType, readMarketClass, wordOf } from './readValue.ts'
import { readAmount, readSeconds } from './values/amounts.ts'

export interface CitedLine {
  readonly draft: DraftLine
  /** The line as a create line; undefined while any value is unresolved. */
  readonly item: LineItem | undefined
  readonly num_requested?: number
  readonly unresolved: readonly UnresolvedValue[]
}

export interface CitingTerms {
  /** The prices of the line's product on the current card that this buyer may see, in the weeks of the document. */
  readonly prices: readonly CardPrice[]
  readonly overrides: Overrides
  /** The trade currency of the order. */
  readonly currency: string
  /** The agency's commission of the order's agreement, in percent of the gross; undefined without one. */
  readonly commissionPct?: number | undefined
}

/**
 * Finds the published price that a line states (contract, Price clearance: a booked price is a published one). The length, buy type and
 * classes that the line states must match the price; those it omits must follow from a single matching price. A price that the buyer chooses
 * supplies all of them.
 */
export function citePrice(draft: DraftLine, terms: CitingTerms): CitedLine {
  const { line, read, product, period, priceDoubts, resolution } = draft
  const doubted = (near: readonly CardPrice[]): CitedLine => {
    const doubts = priceDoubts.map(({ field, message }) => unresolvedOf(line, field, readOf(read, field), message, near.map(availRate)))
    return { draft, item: undefined, unresolved: [...draft.unresolved, ...doubts] }
  }
  if (product === undefined || period === undefined) return doubted([])
  const weeks = weeksOfPeriod(period.grain, period.start)
  const disclosure = disclosureFor(product, terms.overrides)
  const published = terms.prices.filter(
    (price) =>
      price.product_id === product.product_id &&
      price.week === weeks[0] &&
      price.currency === terms.currency &&
      sellsAt(disclosure, { isOwnQuote: price.visible_to !== null }),
  )
  const refused = (field: string, value: { read: string; at: string } | undefined, message: string, near = published): CitedLine => {
    const unresolved = [...draft.unresolved, unresolvedOf(line, field, value, message, near.map(availRate))]
    return { draft, item: undefined, unresolved }
  }
  const stated = read.unit_cost ?? read.cpm
  if (resolution?.locked_rate_id !== undefined) {
    const chosen = terms.prices.find(
      (price) => price.locked_rate_id === resolution.locked_rate_id && published.some((of) => sameTerms(of, price)),
    )
    const isSold = chosen !== undefined && isBonus(read) && !isFree(chosen)
    if (isSold) return refused('rate', stated, BONUS_SOLD, published.filter(isFree))
    if (chosen === undefined)
      return refused('locked_rate_id', read.unit_cost ?? read.cpm, `${resolution.locked_rate_id} is not a price for this line.`)
    return itemOf(draft, chosen)
  }
  const asked = statedOf(draft)
  if (priceDoubts.length > 0) {
    // The terms of a row that is torn, or that states two prices, choose nothing.
    const isCertain = !priceDoubts.some(({ field }) => field === 'rate')
    const near = isCertain && 'fits' in asked ? published.filter(asked.fits) : []
    return doubted(near.length > 0 ? near : published)
  }
  if ('unread' in asked) return refused(asked.unread, read[asked.unread], 'The value cannot be understood.')
  const fitting = published.filter((price) => asked.fits(price))
  if (stated === undefined) return refused('rate', undefined, 'The line names no price.', fitting.length > 0 ? fitting : published)
  const amount = readAmount(stated.read)
  if (amount === undefined) return refused('rate', stated, 'The value is not a price.', fitting)
  if (fitting.length === 0) return refused('rate', stated, 'The seller publishes no price that matches this line.')
  const basis = read.unit_cost !== undefined ? 'gross_rate_unit' : 'gross_rate_cpm'
  const isNet = read.basis?.read === 'net'
  if (isNet && terms.commissionPct === undefined) return refused('rate', stated, NET_UNKNOWN, fitting)
  const share = decimal(100).minus(decimal(isNet ? (terms.commissionPct ?? 0) : 0))
  // Net is gross less the agreement's commission, exactly: what is rounded is asked.
  const equal = fitting.filter(
    (price) => price[basis] !== null && sameAmount(decimal(price[basis]).times(share), decimal(amount).times(decimal(100))),
  )
  const [first, ...others] = equal
  if (first === undefined && isBonus(read)) return refused('rate', stated, BONUS_SOLD, [])
  if (first === undefined) return refused('rate', stated, 'The published price differs.', fitting)
  // The same price in several scopes counts as one; the narrowest scope is cited.
  if (others.some((other) => !sameTerms(other, first)))
    return refused('rate', stated, 'Several published prices have this amount; choose one.', equal)
  return itemOf(
    draft,
    equal.find(({ visible_to }) => visible_to !== null) ?? equal.find(({ agreement_id }) => agreement_id !== null) ?? first,
  )
}

/** A bonus is ordered for nothing: at a published price of 0.00, or not at all. */
export const BONUS_SOLD = 'The line is a bonus, and the seller publishes no price of 0.00 for it; leave it out.'
export const NET_UNKNOWN = 'The document states a net price, and the agreement states no commission; choose the price.'

function isBonus(read: ReadLine): boolean {
  return read.kind?.read === 'bonus'
}

function isFree({ gross_rate_unit, gross_rate_cpm }: CardPrice): boolean {
  return sameAmount(gross_rate_unit ?? gross_rate_cpm ?? 1, 0)
}

const KEY = ['market_class', 'advertiser_class', 'spot_length', 'buy_type', 'clearance_tier'] as const

function sameTerms(a: CardPrice, b: CardPrice): boolean {
  return a.product_id === b.product_id && KEY.every((member) => a[member] === b[member])
}

type Stated = (typeof KEY)[number]

/** Returns a filter for the prices that match the line's values, or the first value that cannot be understood. */
function statedOf({ read }: DraftLine): { fits: (price: CardPrice) => boolean } | { unread: Stated } {
  const spot_length = read.spot_length && readSeconds(read.spot_length.read)
  const buy_type = read.buy_type && readBuyType(read.buy_type.read)
  const market_class = read.market_class && readMarketClass(read.market_class.read)
  if (read.spot_length !== undefined && spot_length === undefined) return { unread: 'spot_length' }
  if (read.buy_type !== undefined && buy_type === undefined) return { unread: 'buy_type' }
  if (read.market_class !== undefined && market_class === undefined) return { unread: 'market_class' }
  const same = (said: { read: string } | undefined, word: string | null) => said === undefined || wordOf(said.read) === wordOf(word ?? '')
  return {
    fits: (price) =>
      (spot_length === undefined || price.spot_length === spot_length) &&
      (buy_type === undefined || price.buy_type === buy_type) &&
      (market_class === undefined || price.market_class === market_class) &&
      same(read.advertiser_class, price.advertiser_class) &&
      same(read.clearance_tier, price.clearance_tier),
  }
}

/** Returns the line at its price. An impressions goal is converted to the fewest units that reach it. */
function itemOf(draft: DraftLine, price: CardPrice): CitedLine {
  const { line, read, product, period, goal } = draft
  const { guaranteed_impressions: perUnit } = price
  const units = draft.units ?? (goal === undefined || perUnit === null ? undefined : unitsFor(goal, perUnit))
  if (goal !== undefined && units === undefined) {
    const message = 'The price has no impressions per unit; state the units.'
    return { draft, item: undefined, unresolved: [...draft.unresolved, unresolvedOf(line, 'units', read.impressions_goal, message)] }
  }
  if (draft.unresolved.length > 0 || product === undefined || period === undefined || units === undefined) {
    return { draft, item: undefined, unresolved: draft.unresolved }
  }
  const { clearance_tier, gross_rate_unit, gross_rate_cpm, guaranteed_impressions, audience_code, quote_expires_at } = price
  const rate = {
    market_class: price.market_class,
    advertiser_class: price.advertiser_class,
    buy_type: price.buy_type,
    ...(clearance_tier === null ? {} : { clearance_tier }),
    ...(gross_rate_unit === null ? { cpm: jsonNumber(gross_rate_cpm ?? 0) } : { unit_cost: jsonNumber(gross_rate_unit) }),
    ...(guaranteed_impressions === null ? {} : { guaranteed_impressions }),
    ...(audience_code === null ? {} : { audience_code }),
    locked_rate_id: price.locked_rate_id,
    currency: price.currency,
    ...(quote_expires_at === null ? {} : { quote_expires_at }),
  }
  const item = { product_id: product.product_id, period, units, spot_length: price.spot_length, rate }
  return { draft, item, ...(goal === undefined ? {} : { num_requested: goal }), unresolved: [] }
}

function unitsFor(goal: number, perUnit: number): number {
  return Number(decimal(goal).div(decimal(perUnit)).round(0, 3).toFixed())
}
