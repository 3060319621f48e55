import type { AvailImpressions } from '../../contract/avail.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import type { BuyType, MarketClass, QuoteEnd } from '../../contract/vocabulary.ts'
import { type Instant, weeksOfPeriod } from '../calendar.ts'
import { sameAmount } from '../decimal.ts'

/** A published price for one product and ISO week: what a `locked_rate_id` names. Costs are decimal text. */
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
  /** The scope a price is published in: the open card, one agreement's, or one buyer's quotes. */
  agreement_id: string | null
  visible_to: string | null
  /** When it may be cited, if that is bounded. */
  window_opens?: string | null
  window_closes?: string | null
  /** When it lapses, if it is a quote. */
  quote_expires_at?: string | null
  /** Why it is no price any more, if it is a quote that has ended. */
  quote_ended?: QuoteEnd | null
}

const MATCHED = ['market_class', 'advertiser_class', 'buy_type', 'clearance_tier', 'currency', 'audience_code'] as const

/**
 * Price clearance (spec, What the service does, 4): the cited entry must price this line as it stands, and the cost sent must be the
 * published one exactly. `card` holds the current prices of the weeks of month lines.
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
  if (cited === undefined || cited.product_id !== item.product_id) {
    return [fault('rate.locked_rate_id', `${rate.locked_rate_id} is not a price that this seller publishes for ${item.product_id}.`)]
  }
  if (cited.quote_ended) {
    const ended = fault('rate.locked_rate_id', `The quote ${rate.locked_rate_id} is no longer a price: ${ENDED[cited.quote_ended]}.`)
    return [{ ...ended, details: { ...ended.details, reason: cited.quote_ended } }]
  }
  const faults: Fault[] = []
  for (const member of MATCHED) {
    if (rate[member] === undefined || (member === 'audience_code' && cited[member] === null)) continue
    if (rate[member] !== cited[member])
      faults.push(fault(`rate.${member}`, `The cited price is for ${member} ${cited[member]}, not ${rate[member]}.`))
  }
  if (item.spot_length !== undefined && item.spot_length !== cited.spot_length)
    faults.push(fault('spot_length', `The cited price is for ${cited.spot_length} seconds.`))
  const weeks = period === undefined ? [] : weeksOfPeriod(period.grain, period.start)
  if (period !== undefined && !weeks.includes(cited.week))
    faults.push(fault('period', `The cited price is for ${cited.week}, not ${period.start}.`))
  faults.push(...checkCost(rate, cited, fault), ...checkQuote(rate, cited, fault))
  if (period?.grain === 'month') faults.push(...checkMonth(cited, card, weeks, period.start, fault))
  return faults
}

const ENDED: Record<QuoteEnd, string> = {
  lapsed: 'its quote_expires_at has passed',
  replaced: 'its seller replaced it',
  rejected: 'it was rejected',
  withdrawn: 'the order that it answered was withdrawn',
  canceled: 'the order that it answered was canceled',
}

/** Whether a price's window is open: before and after it the price is on the card, and cannot be cited (spec, Events 8). */
export function isOpenAt({ window_opens = null, window_closes = null }: Partial<RateOnCard>, now: Instant): boolean {
  const at = Date.parse(now)
  return (window_opens === null || Date.parse(window_opens) <= at) && (window_closes === null || at < Date.parse(window_closes))
}

/** Whether a price's window has closed: it will never be cited again, and no buyer is shown it. */
export function isOverAt({ window_closes = null }: Pick<RateOnCard, 'window_closes'>, now: Instant): boolean {
  return window_closes !== null && Date.parse(window_closes) <= Date.parse(now)
}

type MakeFault = (member: string, message: string) => Fault

function checkCost(rate: NonNullable<ReadableLine['rate']>, cited: RateOnCard, fault: MakeFault): Fault[] {
  if (rate.unit_cost === undefined && rate.cpm === undefined) return []
  const [member, published] =
    cited.gross_rate_unit === null ? (['cpm', cited.gross_rate_cpm] as const) : (['unit_cost', cited.gross_rate_unit] as const)
  const sent = rate[member]
  if (sent === undefined) return [fault(`rate.${member}`, `The cited price is a ${member}: send ${member} ${published}.`)]
  const faults: Fault[] = []
  if (!sameAmount(sent, published ?? 0)) faults.push(fault(`rate.${member}`, `The published price is ${published}; ${sent} was sent.`))
  if (rate.guaranteed_impressions !== undefined) faults.push(...checkGuarantee(rate.guaranteed_impressions, member, cited, fault))
  return faults
}

/** How long a quote stands is its seller's to say: what is sent of it is what is published. */
function checkQuote(rate: NonNullable<ReadableLine['rate']>, { quote_expires_at = null }: RateOnCard, fault: MakeFault): Fault[] {
  const sent = rate.quote_expires_at
  if (sent === undefined || (quote_expires_at !== null && Date.parse(sent) === Date.parse(quote_expires_at))) return []
  const published = quote_expires_at === null ? 'is no quote' : `stands until ${quote_expires_at}`
  return [fault('rate.quote_expires_at', `The cited price ${published}.`)]
}

/** A guarantee is the published one. A price by cpm is worth what it guarantees, so that there the buyer may not bring a figure of its own. */
function checkGuarantee(sent: number, member: 'cpm' | 'unit_cost', { guaranteed_impressions }: RateOnCard, fault: MakeFault): Fault[] {
  const own = guaranteed_impressions === null && member === 'unit_cost'
  if (own || sent === guaranteed_impressions) return []
  const published = guaranteed_impressions === null ? 'guarantees nothing' : `guarantees ${guaranteed_impressions} per unit`
  return [fault('rate.guaranteed_impressions', `The cited price ${published}.`)]
}

/**
 * Every week that the month touches must have a current price of the cited key, and all of them the same one (choices, Month line's price). The
 * cited price may be an older one: that is drift, which validation finds, as it does for a week.
 */
function checkMonth(cited: RateOnCard, card: readonly RateOnCard[], weeks: readonly string[], month: string, fault: MakeFault): Fault[] {
  const ofKey = card.filter((rate) => sameKey(rate, cited))
  const current = weeks.map((week) => ({ week, price: ofKey.find((rate) => rate.week === week) }))
  const unpriced = current.find(({ price }) => price === undefined)
  if (unpriced !== undefined) {
    const message = `${unpriced.week} of ${month} has no price for what is cited: a month books every week that it touches.`
    return [fault('rate.locked_rate_id', message)]
  }
  const [first, ...others] = current
  const unlike = others.find(({ price }) => !sameInMoney(price as RateOnCard, first?.price as RateOnCard))
  if (unlike === undefined) return []
  const message = `${unlike.week} of ${month} is priced differently from ${first?.week}: a month's weeks must be priced alike.`
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

/** Whether two prices have one place on the card within their scope, the week aside: in one week they replace each other (choices, Current card). */
export function sameKey(a: RateOnCard, b: RateOnCard): boolean {
  return KEY.every((member) => a[member] === b[member])
}

/** What decides what a unit costs: of a price by cpm what it guarantees too, and to whom. Costs are decimal text. */
type Priced = Pick<RateOnCard, 'gross_rate_unit' | 'gross_rate_cpm' | 'currency' | 'guaranteed_impressions' | 'audience_code'>

/** Whether a unit comes to the same at both prices (choices, Month line's price). */
export function sameInMoney(a: Priced, b: Priced): boolean {
  if (a.currency !== b.currency || !samePrice(a, b)) return false
  return a.gross_rate_cpm === null || (a.guaranteed_impressions === b.guaranteed_impressions && a.audience_code === b.audience_code)
}

export function samePrice(a: Pick<Priced, 'gross_rate_unit' | 'gross_rate_cpm'>, b: typeof a): boolean {
  return sameCost(a.gross_rate_unit, b.gross_rate_unit) && sameCost(a.gross_rate_cpm, b.gross_rate_cpm)
}

/** The cost of a price in its own basis, as decimal text. */
export function costOf(rate: RateOnCard): string {
  return rate.gross_rate_unit ?? rate.gross_rate_cpm ?? '0'
}

function sameCost(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : sameAmount(a, b)
}

/**
 * What one unit delivers: the guaranteed figure (of the line, else of the cited price), else the published per_spot impressions for the
 * audience code (choices, Line amount). Undefined when nothing was published, which a cpm line cannot do without.
 */
export function impressionsPerUnit({ rate }: LineItem, cited: RateOnCard, published: AvailImpressions | undefined): number | undefined {
  const guaranteed = rate.guaranteed_impressions ?? cited.guaranteed_impressions ?? undefined
  if (guaranteed !== undefined) return guaranteed
  const code = rate.audience_code ?? cited.audience_code
  const perAudience = code === null || code === undefined ? undefined : published?.[code]
  return typeof perAudience === 'object' ? perAudience.per_spot : undefined
}
