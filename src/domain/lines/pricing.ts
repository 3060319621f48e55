import type { AvailImpressions } from '../../contract/avail.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import type { BuyType, MarketClass, QuoteEnd } from '../../contract/vocabulary.ts'
import { type Instant, weeksOfPeriod } from '../calendar.ts'
import { sameAmount } from '../decimal.ts'

/** A published price for one product and ISO week, named by a `locked_rate_id`. Costs are decimal text. */
export interface RateOnCard {
  locked_rate_id: string
  product_id: string
  week: string
  market_class: MarketClass
  advertiser_class: string
  spot_length: number
  buy_type: BuyType
  clearance_tier: string | null
  gross_rate_unit: string | null
  gross_rate_cpm: string | null
  currency: string
  guaranteed_impressions: number | null
  audience_code: string | null
  /** The scope of the price: the open card, one agreement's card, or one buyer's quotes. */
  agreement_id: string | null
  visible_to: string | null
  /** The window in which the price may be cited; null means unbounded. */
  window_opens?: string | null
  window_closes?: string | null
  /** The expiry of a quote. */
  quote_expires_at?: string | null
  /** The reason why a quote has ended. */
  quote_ended?: QuoteEnd | null
}

const MATCHED = ['market_class', 'advertiser_class', 'buy_type', 'clearance_tier', 'currency', 'audience_code'] as const

/**
 * Checks price clearance (contract, Price clearance): the cited entry must price exactly this line, and the sent cost must equal the
 * published one. `card` has the current prices in the weeks of month lines.
 */
export function checkPrice(item: ReadableLine, cited: RateOnCard | undefined, card: readonly RateOnCard[], field: string): Fault[] {
  const { rate, period } = item
  if (rate?.locked_rate_id === undefined) return []
  const fault = (member: string, message: string): Fault => ({
    error_code: 'INVALID_INPUT',
    field: `${field}.${member}`,
    message,
    details: { locked_rate_id: rate.locked_rate_id },
  })
  const wrong = (member: string, predicate: string) => fault(member, `${field}.${member} ${predicate}`)
  if (cited === undefined || cited.product_id !== item.product_id) {
    return [fault('rate.locked_rate_id', `${rate.locked_rate_id} is not a price that this seller publishes for ${item.product_id}.`)]
  }
  if (cited.quote_ended) {
    const ended = fault('rate.locked_rate_id', `The quote ${rate.locked_rate_id} has ended: ${ENDED[cited.quote_ended]}.`)
    return [{ ...ended, details: { ...ended.details, reason: cited.quote_ended } }]
  }
  const faults: Fault[] = []
  for (const member of MATCHED) {
    if (rate[member] === undefined || (member === 'audience_code' && cited[member] === null)) continue
    if (rate[member] !== cited[member]) faults.push(wrong(`rate.${member}`, `${allowed(cited[member])}; ${rate[member]} was sent.`))
  }
  if (item.spot_length !== undefined && item.spot_length !== cited.spot_length)
    faults.push(wrong('spot_length', `${allowed(cited.spot_length)}; ${item.spot_length} was sent.`))
  const weeks = period === undefined ? [] : weeksOfPeriod(period.grain, period.start)
  if (period !== undefined && !weeks.includes(cited.week))
    faults.push(fault('period', `${period.start} does not include ${cited.week}, the week of the cited price.`))
  faults.push(...checkCost(rate, cited, wrong), ...checkQuote(rate, cited, wrong))
  if (period?.grain === 'month') faults.push(...checkMonth(cited, card, weeks, period.start, fault))
  return faults
}

function allowed(cited: string | number | null | undefined): string {
  return (cited ?? null) === null ? 'must not be sent: the cited price has none' : `must be ${cited}, as in the cited price`
}

const ENDED: Record<QuoteEnd, string> = {
  lapsed: 'its quote_expires_at has passed',
  replaced: 'the seller replaced it',
  rejected: 'it was rejected',
  withdrawn: 'the order that it answered was withdrawn',
  canceled: 'the order that it answered was canceled',
}

/** Returns true while the window of a price is open. Outside of it the price is on the card but cannot be cited (contract, Windows). */
export function isOpenAt({ window_opens = null, window_closes = null }: Partial<RateOnCard>, now: Instant): boolean {
  const at = Date.parse(now)
  return (window_opens === null || Date.parse(window_opens) <= at) && (window_closes === null || at < Date.parse(window_closes))
}

/** Returns true once the window of a price has closed. Such a price cannot be cited again, and buyers no longer see it. */
export function isOverAt({ window_closes = null }: Pick<RateOnCard, 'window_closes'>, now: Instant): boolean {
  return window_closes !== null && Date.parse(window_closes) <= Date.parse(now)
}

type MakeFault = (member: string, message: string) => Fault

function checkCost(rate: NonNullable<ReadableLine['rate']>, cited: RateOnCard, wrong: MakeFault): Fault[] {
  if (rate.unit_cost === undefined && rate.cpm === undefined) return []
  const [member, published] =
    cited.gross_rate_unit === null ? (['cpm', cited.gross_rate_cpm] as const) : (['unit_cost', cited.gross_rate_unit] as const)
  const sent = rate[member]
  if (sent === undefined) return [wrong(`rate.${member}`, `is required for the cited price; the published ${member} is ${published}.`)]
  const faults: Fault[] = []
  if (!sameAmount(sent, published ?? 0)) faults.push(wrong(`rate.${member}`, `must be the published ${published}; ${sent} was sent.`))
  if (rate.guaranteed_impressions !== undefined) faults.push(...checkGuarantee(rate.guaranteed_impressions, member, cited, wrong))
  return faults
}

/** Checks that a sent expiry of a quote equals the published one, since the seller sets it. */
function checkQuote(rate: NonNullable<ReadableLine['rate']>, { quote_expires_at = null }: RateOnCard, wrong: MakeFault): Fault[] {
  const sent = rate.quote_expires_at
  if (sent === undefined || (quote_expires_at !== null && Date.parse(sent) === Date.parse(quote_expires_at))) return []
  const allowed =
    quote_expires_at === null ? 'must not be sent: the cited price is not a quote' : `must be ${quote_expires_at}, as published`
  return [wrong('rate.quote_expires_at', `${allowed}; ${sent} was sent.`)]
}

/** Checks that a sent guarantee equals the published one. The cost of a cpm price depends on it, so the buyer may not state its own. */
function checkGuarantee(sent: number, member: 'cpm' | 'unit_cost', { guaranteed_impressions }: RateOnCard, wrong: MakeFault): Fault[] {
  const own = guaranteed_impressions === null && member === 'unit_cost'
  if (own || sent === guaranteed_impressions) return []
  const allowed =
    guaranteed_impressions === null
      ? 'must not be sent: the cited price has no guarantee'
      : `must be the published ${guaranteed_impressions}`
  return [wrong('rate.guaranteed_impressions', `${allowed}; ${sent} was sent.`)]
}

/**
 * Checks that every week of the month has a current price of the cited key, and that these prices are equal (choices, Month line's price). The
 * cited price may be older: that is drift, which validation detects as it does for a week.
 */
function checkMonth(cited: RateOnCard, card: readonly RateOnCard[], weeks: readonly string[], month: string, fault: MakeFault): Fault[] {
  const ofKey = card.filter((rate) => sameKey(rate, cited))
  const current = weeks.map((week) => ({ week, price: ofKey.find((rate) => rate.week === week) }))
  const unpriced = current.find(({ price }) => price === undefined)
  if (unpriced !== undefined) {
    const message = `${unpriced.week} of ${month} has no price that matches the cited one; a month line books every week of the month.`
    return [fault('rate.locked_rate_id', message)]
  }
  const [first, ...others] = current
  const unlike = others.find(({ price }) => !sameInMoney(price as RateOnCard, first?.price as RateOnCard))
  if (unlike === undefined) return []
  const message = `${unlike.week} of ${month} is priced differently from ${first?.week}; a month line needs the same price in every week.`
  return [fault('rate.locked_rate_id', message)]
}

const KEY = [
  'product_id',
  'market_class',
  'advertiser_class',
  'spot_length',
  'buy_type',
  'clearance_tier',
  'agreement_id',
  'visible_to',
] as const

/** Returns true if two prices have the same key, ignoring the week: within one week the newer replaces the older (choices, Current card). */
export function sameKey(a: RateOnCard, b: RateOnCard): boolean {
  return KEY.every((member) => a[member] === b[member])
}

/** The members that decide the cost of a unit, including the guarantee of a cpm price. Costs are decimal text. */
type Priced = Pick<RateOnCard, 'gross_rate_unit' | 'gross_rate_cpm' | 'currency' | 'guaranteed_impressions' | 'audience_code'>

/** Returns true if a unit costs the same at both prices (choices, Month line's price). */
export function sameInMoney(a: Priced, b: Priced): boolean {
  if (a.currency !== b.currency || !samePrice(a, b)) return false
  return a.gross_rate_cpm === null || (a.guaranteed_impressions === b.guaranteed_impressions && a.audience_code === b.audience_code)
}

export function samePrice(a: Pick<Priced, 'gross_rate_unit' | 'gross_rate_cpm'>, b: typeof a): boolean {
  return sameCost(a.gross_rate_unit, b.gross_rate_unit) && sameCost(a.gross_rate_cpm, b.gross_rate_cpm)
}

/** Returns the cost of a price in its own basis, as decimal text. */
export function costOf(rate: RateOnCard): string {
  return rate.gross_rate_unit ?? rate.gross_rate_cpm ?? '0'
}

function sameCost(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : sameAmount(a, b)
}

/**
 * Returns the impressions of one unit: the guaranteed figure (of the line, else of the cited price), else the published per_spot impressions
 * for the audience code (choices, Line amount). Undefined if nothing is published; a cpm line needs the figure.
 */
export function impressionsPerUnit({ rate }: LineItem, cited: RateOnCard, published: AvailImpressions | undefined): number | undefined {
  const guaranteed = rate.guaranteed_impressions ?? cited.guaranteed_impressions ?? undefined
  if (guaranteed !== undefined) return guaranteed
  const code = rate.audience_code ?? cited.audience_code
  const perAudience = code === null || code === undefined ? undefined : published?.[code]
  return typeof perAudience === 'object' ? perAudience.per_spot : undefined
}
