import type { Agreement } from '../../contract/agreement.ts'
import type { Avail } from '../../contract/avail.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { Product } from '../../contract/product.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import type { Period } from '../../contract/scalars.ts'
import { disclosureFor, type Overrides } from '../agreement/disclosure.ts'
import { narrowed, type Permissions } from '../agreement/permissions.ts'
import { postingPolicyOf } from '../agreement/postingPolicy.ts'
import type { Instant } from '../calendar.ts'
import { weekdayOf } from '../calendar.ts'
import { notOnSale } from '../publish/onSale.ts'
import { invalid } from '../refusal.ts'
import { airingOf, airsOn, bookedDates } from './allocation.ts'
import { availsFor, lineAvailability, type PublishedAvail } from './availability.ts'
import { checkTotals } from './checkTotals.ts'
import { checkCreative, creativeSnapshot, type RegisteredCreative } from './creative.ts'
import { checkFlight } from './flight.ts'
import { checkGrain, checkStart } from './grain.ts'
import { checkLeadTime, type LeadTime } from './leadTime.ts'
import type { LineFacts } from './lineResult.ts'
import { checkPrice, impressionsPerUnit, type RateOnCard } from './pricing.ts'
import { productTitle } from './productTitle.ts'
import { checkTrafficInstructions } from './trafficInstructions.ts'

/** The published state, visible to this buyer, that a line is checked against. */
export interface LineTerms {
  /** Undefined if the request's seller does not exist. */
  seller: string | undefined
  provider: string
  flight: { start: string; end: string } | undefined
  products: readonly Product[]
  permissions: Permissions
  /** Disclosure to this buyer that overrides that of the products. */
  overrides: Overrides
  /** The buyer's creatives that the request cites. */
  creatives: readonly RegisteredCreative[]
  /** The agreement that the order cites. */
  attached: Agreement | undefined
  cited: readonly RateOnCard[]
  /** The current prices in the weeks of month lines. */
  card: readonly RateOnCard[]
  avails: readonly (PublishedAvail & Pick<Avail, 'impressions'>)[]
  /** The seller's lead time and the current time; omitted for a seller's own plan. */
  lead?: LeadTime | undefined
  /** The time at which the published state was read. */
  asked_at: Instant
}

/**
 * Returns every fault of a catalog order's line, or the facts that the platform fixes for it (contract, Line item). Checks the readable members of
 * a line that is malformed. Such a line may have no faults here, since the schema reports its own.
 */
export function checkLine(
  item: ReadableLine,
  index: number,
  terms: LineTerms,
  unit_id: string,
): { faults: Fault[] } | { facts: LineFacts } {
  const at = `line_items.${index}`
  const product = terms.products.find(({ product_id }) => product_id === item.product_id)
  const cited = terms.cited.find(({ locked_rate_id }) => locked_rate_id === item.rate?.locked_rate_id)
  const mirror = terms.products.find(({ product_id }) => product_id === product?.mirror_product_id)
  const noSuchStart = item.period === undefined ? [] : checkStart(item.period, `${at}.period`)
  const period = noSuchStart.length === 0 ? item.period : undefined
  const wrongGrain = product && period ? checkGrain(product, period, terms.permissions.grains, `${at}.period`) : []
  const booked_dates = product && period ? bookedDates(product, period) : []
  // A price is only compared with a product and period that exist.
  const wrongPrice = product ? checkPrice({ ...item, period: wrongGrain.length === 0 ? period : undefined }, cited, terms.card, at) : []
  const faults = [
    ...(product === undefined ? checkProductId(item, terms, at) : checkOnSale(product, terms, at)),
    ...noSuchStart,
    ...wrongGrain,
    ...(product && period ? checkDates(product, booked_dates, `${at}.period`) : []),
    ...(product && period ? checkAiring(product, period, terms.avails, `${at}.period`) : []),
    ...checkLeadTime(item, { date: booked_dates[0], timezone: product?.definition.timezone }, terms.lead, `${at}.period`),
    ...(period ? checkFlight(terms.flight, index, period, booked_dates) : []),
    ...wrongPrice,
    ...(product ? checkBuyType(product, item, terms.permissions, `${at}.rate.buy_type`) : []),
    ...(product && item.include_mirror === true && mirror === undefined
      ? [invalid(`${at}.include_mirror`, `${product.product_id} has no mirror.`)]
      : []),
    ...checkCreatives(item, terms.creatives, at),
  ]
  if (product === undefined || cited === undefined || period === undefined || wrongPrice.length > 0 || !isWhole(item)) return { faults }
  const avails = disclosedAvails(product, terms)
  const impressions_per_unit = deliveredPerUnit(item, cited, avails)
  if (item.rate.cpm !== undefined && impressions_per_unit === undefined) {
    faults.push(invalid(`${at}.rate.cpm`, `Line ${index} is priced by cpm, but no impressions per unit are published for it.`))
  }
  faults.push(...checkTotals([{ line: item, impressions_per_unit }], terms.cited, `Line ${index}`, `${at}.units`))
  if (faults.length > 0) return { faults }
  const { timezone } = product.definition
  const product_title = productTitle(product)
  const creative_snapshot = creativeSnapshot(item.creative_id, terms.creatives)
  return {
    facts: {
      unit_id,
      provider: terms.provider,
      network: product.network,
      ...(product_title === undefined ? {} : { product_title }),
      booked_dates,
      ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(creative_snapshot === undefined ? {} : { creative_snapshot }),
      availability: lineAvailability(item, avails),
      posting_policy: postingPolicyOf(product, terms.attached?.posting_policy_overrides ?? []),
      ...(item.include_mirror === true && mirror !== undefined
        ? { mirror: { product_id: mirror.product_id, network: mirror.network } }
        : {}),
    },
  }
}

/** Returns true if every member that the facts need is readable. */
function isWhole(item: ReadableLine): item is LineItem {
  const { product_id, period, units, spot_length, rate } = item
  return product_id !== undefined && period !== undefined && units !== undefined && spot_length !== undefined && rate !== undefined
}

function checkProductId({ product_id }: ReadableLine, { seller }: LineTerms, at: string): Fault[] {
  if (product_id === undefined || seller === undefined) return []
  return [invalid(`${at}.product_id`, `${product_id} is not a product of ${seller}.`)]
}

function checkOnSale(product: Product, { asked_at }: LineTerms, at: string): Fault[] {
  const reason = notOnSale(product, asked_at.slice(0, 10))
  return reason === undefined ? [] : [invalid(`${at}.product_id`, reason)]
}

/** Returns the avails that are disclosed to the buyer, so an order reveals no more than the avails read. */
export function disclosedAvails(product: Product, { overrides, avails }: Pick<LineTerms, 'overrides' | 'avails'>): LineTerms['avails'] {
  return disclosureFor(product, overrides).avails_policy === 'published' ? avails : []
}

/** Returns the impressions of one unit, from its price or the avails of its period; undefined if neither states them. */
export function deliveredPerUnit(item: LineItem, cited: RateOnCard, avails: LineTerms['avails']): number | undefined {
  const published = availsFor(item, avails).find(({ impressions }) => impressions !== undefined)?.impressions
  return impressionsPerUnit(item, cited, published)
}

/** Checks that a line books at least one date and only dates on which the product is sold. */
export function checkDates(product: Product, dates: readonly string[], field: string): Fault[] {
  if (dates.length === 0) return [invalid(field, `${product.product_id} does not air in this period.`)]
  const { effective } = product
  const outside = effective && dates.find((date) => date < effective.start || date > effective.end)
  if (outside === undefined) return []
  return [invalid(field, `${product.product_id} is sold from ${effective?.start} to ${effective?.end}; the line books ${outside}.`)]
}

/** Checks that the product airs on the date of a day line, or has a day avail for it (choices, Day line). */
function checkAiring(product: Product, { grain, start }: Period, avails: LineTerms['avails'], field: string): Fault[] {
  if (grain !== 'day' || airsOn(product, start)) return []
  const { product_id } = product
  if (avails.some((avail) => avail.product_id === product_id && avail.grain === 'day' && avail.start === start)) return []
  return [invalid(field, `${product_id} does not air on ${weekdayOf(start)} ${start}; it airs on ${airingOf(product)}.`)]
}

/** Checks that a buy type is sold and permitted. details.permitted_buy_types is their intersection (choices, Presenting an agreement). */
function checkBuyType(product: Product, { rate }: ReadableLine, { buy_types }: Permissions, field: string): Fault[] {
  if (rate?.buy_type === undefined) return []
  if (!product.buy_types.includes(rate.buy_type)) return [invalid(field, `${product.product_id} is not sold ${rate.buy_type}.`)]
  const permitted_buy_types = narrowed(product.buy_types, buy_types)
  if (permitted_buy_types.includes(rate.buy_type)) return []
  return [{ ...invalid(field, `${rate.buy_type} is not permitted by the agreements of this buyer.`), details: { permitted_buy_types } }]
}

/** Checks the creatives of the line and of its rotation against the buyer's registry. */
function checkCreatives(item: ReadableLine, registry: readonly RegisteredCreative[], at: string): Fault[] {
  const { creative_id } = item
  return [
    ...(creative_id === undefined ? [] : checkCreative(creative_id, item, registry, `${at}.creative_id`)),
    ...checkTrafficInstructions(item, registry, `${at}.traffic_instructions`),
  ]
}
