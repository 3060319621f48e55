import { randomId } from '../api/ids.ts'
import type { CreateOrder } from '../api/queries/creates.ts'
import type { AvailRate, Period } from '../api/queries/sellers.ts'

type OrderedLine = NonNullable<CreateOrder['line_items']>[number]
export type Attachment = NonNullable<CreateOrder['attachments']>[number]

/** A planned line, with the price that was published when it was added. */
export interface BasketLine {
  readonly product_id: string
  readonly title?: string
  readonly network: string
  readonly period: Period
  readonly rate: AvailRate
  /** The text that the user typed. */
  readonly units: string
  readonly creative_id?: string
  readonly hold_id?: string
}

/** The draft of an order with one seller. */
export interface Basket {
  readonly external_order_id: string
  readonly rate_version: string
  readonly lines: readonly BasketLine[]
  readonly advertiser: string
  readonly campaign: string
  readonly estimate: string
  /** The id of the agreement that the order presents; empty for none. */
  readonly agreement: string
  readonly attachments: readonly Attachment[]
  /** The exact text of the order, kept while it is unknown whether the API accepted it. */
  readonly sent?: string
}

export function newBasket(rateVersion: string): Basket {
  const external_order_id = `po-${new Date().toISOString().slice(0, 10)}-${randomId(8)}`
  return {
    external_order_id,
    rate_version: rateVersion,
    lines: [],
    advertiser: '',
    campaign: '',
    estimate: '',
    agreement: '',
    attachments: [],
  }
}

/** Product, period and price together identify a line. */
export function lineKey({ product_id, period, rate }: Pick<BasketLine, 'product_id' | 'period' | 'rate'>): string {
  return [product_id, period.grain, period.start, rate.locked_rate_id].join(' ')
}

/** Returns the basket with this many units on a line; an empty text removes the line. */
export function withUnits(basket: Basket, line: Omit<BasketLine, 'units'>, units: string): Basket {
  const key = lineKey(line)
  const others = basket.lines.filter((one) => lineKey(one) !== key)
  if (units === '') return { ...basket, lines: others }
  if (others.length === basket.lines.length) return { ...basket, lines: [...others, { ...line, units }] }
  return withLine(basket, key, (one) => ({ ...one, units }))
}

/** Returns the basket with one line changed; undefined removes the line. */
export function withLine(basket: Basket, key: string, change: (line: BasketLine) => BasketLine | undefined): Basket {
  return { ...basket, lines: basket.lines.flatMap((line) => (lineKey(line) === key ? (change(line) ?? []) : line)) }
}

/** Returns the body of POST /orders; the same basket always gives the same bytes. */
export function orderText(seller: string, basket: Basket): string {
  const { external_order_id, rate_version, lines, attachments } = basket
  const [advertiser_id, campaign_id, estimate_id, agreement_id] = [
    basket.advertiser,
    basket.campaign,
    basket.estimate,
    basket.agreement,
  ].map((text) => text.trim())
  const body: CreateOrder = {
    seller,
    external_order_id: external_order_id.trim(),
    rate_version,
    buyer_metadata: { advertiser_id: advertiser_id ?? '', ...(campaign_id && { campaign_id }), ...(estimate_id && { estimate_id }) },
    line_items: lines.map(orderedLine),
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(agreement_id && { agreement_id }),
  }
  return JSON.stringify(body)
}

function orderedLine({ product_id, period, units, rate, creative_id, hold_id }: BasketLine): OrderedLine {
  return {
    product_id,
    period,
    units: Number(units),
    spot_length: rate.spot_length,
    ...(creative_id && { creative_id }),
    ...(hold_id && { hold_id }),
    rate: {
      market_class: rate.market_class,
      advertiser_class: rate.advertiser_class,
      buy_type: rate.buy_type,
      ...(rate.clearance_tier !== undefined && { clearance_tier: rate.clearance_tier }),
      ...priceOf(rate),
      locked_rate_id: rate.locked_rate_id,
    },
  } as OrderedLine
}

/** Returns the price of a line in the form that an order uses. */
export function priceOf({ gross_rate_unit, gross_rate_cpm, currency }: AvailRate) {
  return {
    currency,
    ...(gross_rate_unit !== undefined && { unit_cost: gross_rate_unit }),
    ...(gross_rate_cpm !== undefined && { cpm: gross_rate_cpm }),
  }
}

/** Whether two prices are for the same offer, so that a buyer can compare them and one can replace the other when it is withdrawn. */
export function isSameOffer(one: AvailRate, other: AvailRate): boolean {
  return offerKey(one) === offerKey(other) && one.spot_length === other.spot_length
}

/** Identifies the offer of a price, without its spot length: `non_preemptible scatter general`. */
export function offerKey({ buy_type, market_class, advertiser_class, clearance_tier, audience_code }: AvailRate): string {
  return [buy_type, market_class, advertiser_class, clearance_tier, audience_code].filter(Boolean).join(' ')
}

/** Writes the offer for people: `non preemptible, scatter, general`. */
export function offerText(rate: AvailRate): string {
  return offerKey(rate).replaceAll(' ', ', ').replaceAll('_', ' ')
}
