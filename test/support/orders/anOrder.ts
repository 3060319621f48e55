import type { Agreement } from '../../../src/contract/agreement.ts'
import type { CreateOrder } from '../../../src/contract/createOrder.ts'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import { Product } from '../../../src/contract/product.ts'
import { SellerProfile } from '../../../src/contract/seller.ts'
import type { OrderStatus } from '../../../src/contract/vocabulary.ts'
import { addMinutes, type Instant, weeksOfPeriod } from '../../../src/domain/calendar.ts'
import type { RateOnCard } from '../../../src/domain/lines/pricing.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import type { Intake } from '../../../src/domain/order/checkOrder.ts'
import { type Birth, create } from '../../../src/domain/order/create.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { type EventDraft, stampEvents } from '../../../src/domain/order/decision.ts'
import { initialState, type OrderState } from '../../../src/domain/order/state.ts'
import { type Market, validate } from '../../../src/domain/order/validate.ts'

/** Orders and what they are made of, valid as they are: a test names only what matters to it. Made by the rules themselves. */

export const CREATED_AT: Instant = '2026-11-02T09:00:00.000Z'
export const BUYER = 'buyer_one'
export const SELLER = 'seller_one'

export type Changes<T> = { [K in keyof T]?: T[K] | undefined }
export type LineChanges = Omit<Changes<LineItem>, 'rate'> & { rate?: Changes<LineItem['rate']> }

/** Six units of a daypart in 2026-W50, which books Monday 2026-12-07, Wednesday and Friday, at 100.00 each. */
export function aLine({ rate = {}, ...more }: LineChanges = {}): LineItem {
  const line = { product_id: 'prime', period: { grain: 'week', start: '2026-W50' }, units: 6, spot_length: 30, ...more } as Omit<
    LineItem,
    'rate'
  >
  const cost = 'cpm' in rate ? {} : { unit_cost: 100 }
  const key = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible' }
  const locked_rate_id = `lr_${line.product_id}_${line.period.start}`
  return { ...line, rate: { ...key, ...cost, locked_rate_id, currency: 'USD', ...rate } } as LineItem
}

export function aRequest(more: Changes<CreateOrder> = {}): CreateOrder {
  return {
    seller: SELLER,
    external_order_id: 'ext-1',
    rate_version: 'card-1',
    buyer_metadata: { advertiser_id: 'adv-1' },
    line_items: [aLine()],
    ...more,
  } as CreateOrder
}

const DEFINITIONS = {
  daypart: {
    selling_title: 'Prime',
    days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    start: '20:00',
    end: '23:00',
    timezone: 'America/New_York',
  },
  rotator: { windows: [{ days: ['Mon', 'Wed', 'Fri'], start: '06:00', end: '23:00' }] },
  program: { title: 'Finale', occurrences: [{ date: '2026-12-08', start: '20:00', end: '22:00' }], timezone: 'UTC' },
}

/** Sold by day, week and month, in every buy type. `definition` names only what differs. */
export function aProduct({ type = 'daypart', definition, ...more }: Record<string, unknown> & { type?: Product['type'] } = {}): Product {
  return Product.parse({
    product_id: 'prime',
    type,
    network: 'CBL',
    definition: { ...DEFINITIONS[type], ...(definition as object | undefined) },
    buy_types: ['preemptible', 'non_preemptible', 'audience_guaranteed', 'fixed_position'],
    grains: ['day', 'week', 'month'],
    ...more,
  })
}

/** Returns the published price that a line cites, as the card holds it. */
export function priceOf({ rate, product_id, period, spot_length }: LineItem, more: Partial<RateOnCard> = {}): RateOnCard {
  return {
    locked_rate_id: rate.locked_rate_id,
    product_id,
    week: weeksOfPeriod(period.grain, period.start)[0] ?? '',
    market_class: rate.market_class,
    advertiser_class: rate.advertiser_class,
    spot_length,
    buy_type: rate.buy_type,
    clearance_tier: rate.clearance_tier ?? null,
    gross_rate_unit: rate.unit_cost === undefined ? null : String(rate.unit_cost),
    gross_rate_cpm: rate.cpm === undefined ? null : String(rate.cpm),
    currency: rate.currency,
    guaranteed_impressions: rate.guaranteed_impressions ?? null,
    audience_code: rate.audience_code ?? null,
    agreement_id: null,
    visible_to: null,
    ...more,
  }
}

/** Returns a card that gives every week of a line the same price. */
export function cardOf(line: LineItem, more: Partial<RateOnCard> = {}): RateOnCard[] {
  return weeksOfPeriod(line.period.grain, line.period.start).map((week) =>
    priceOf(line, { locked_rate_id: `lr_card_${week}`, week, ...more }),
  )
}

export function aProfile(more: Record<string, unknown> = {}): SellerProfile {
  return SellerProfile.parse(more)
}

/** Returns a market in which everything that a request asks for is sold, priced, held and permitted. */
export function anIntake({ line_items = [] }: CreateOrder, more: Partial<Intake> = {}): Intake {
  const ids = [...new Set(line_items.map(({ product_id }) => product_id))]
  return {
    seller: { name: 'Seller One', taxonomy_version: 'tax-1', profile: aProfile() },
    standing: { status: 'active', allowlisted: false },
    agreements: [],
    rate_version_known: true,
    products: ids.map((product_id) => aProduct({ product_id })),
    cited: line_items.map((line) => priceOf(line)),
    card: line_items.flatMap((line) => cardOf(line)),
    creatives: [],
    uploads: [],
    holds: line_items.flatMap((line) => (line.hold_id === undefined ? [] : [{ hold_id: line.hold_id, lines: [line] }])),
    asked_at: CREATED_AT,
    avails: [],
    ...more,
  }
}

export function anAgreement(more: Partial<Agreement> = {}): Agreement {
  return {
    agreement_id: 'agr_one',
    seller: SELLER,
    buyer_entity: BUYER,
    status: 'active',
    effective: { start: '2026-01-01', end: '2027-12-31' },
    settlement_mode: 'direct',
    currency: 'USD',
    catalog_scope: '*',
    ...more,
  }
}

export function aBirth(lines: number, more: Partial<Birth> = {}): Birth {
  const unit_ids = Array.from({ length: lines }, (_, index) => `unit_${index + 1}`)
  return { order_id: 'ord_1', unit_ids, buyer_entity: BUYER, created_at: CREATED_AT, ...more }
}

export type OrderChanges = Changes<CreateOrder> & {
  status?: OrderStatus
  lines?: LineItem[]
  terms?: NonNullable<OrderState['facts']['cancellation_terms']>
  intake?: Partial<Intake>
  birth?: Partial<Birth>
  /** The seller's sla.max_decision_latency_minutes. */
  latency?: number
}

/** Returns an order in `status`, by default submitted; every step after the create comes a minute after the previous one. */
export function anOrder({ status = 'submitted', lines, terms, intake, birth, latency = 1440, ...request }: OrderChanges = {}): OrderState {
  const ask = aRequest({ ...request, ...(lines === undefined ? {} : { line_items: lines }) })
  const { facts, event } = create(ask, anIntake(ask, intake), aBirth(ask.line_items?.length ?? 0, birth))
  const fixed = { ...facts, cancellation_terms: terms ?? null, decision_latency_minutes: latency }
  const submitted = stampEvents(initialState(ask, fixed), [event], facts.created_at).after
  return PATHS[status].reduce((order, step) => stampEvents(order, step(order), later(order)).after, submitted)
}

/** Returns the time a minute after an order's last event. */
export function later({ updated_at }: OrderState, minutes = 1): Instant {
  return addMinutes(updated_at ?? CREATED_AT, minutes)
}

/** Returns a market that still publishes the prices that an order cites, and nothing about its inventory. */
export function aMarket({ request }: OrderState, more: Partial<Market> = {}): Market {
  const lines = request.line_items ?? []
  return { cited: lines.map((line) => priceOf(line)), card: lines.flatMap((line) => cardOf(line)), avails: [], ...more }
}

export const CONTEXT = { gate: 'api', newSellerOrderId: 'so_platform' } as const

/** Returns the context of a counter: the market at the order's creation, quotes that are valid for an hour, and consecutive ids. */
export function counterContext(order: OrderState, round = 1) {
  const { products } = anIntake(order.request)
  const cited = (order.request.line_items ?? []).map((line) => priceOf(line))
  const ids = Array.from({ length: 9 }, (_, index) => ({ unit_id: `counter_${round}${index}`, locked_rate_id: `lr_${round}${index}` }))
  return { ...CONTEXT, counters: { now: later(order), quote_ttl_minutes: 60, products, cited, ids } }
}

type Step = (order: OrderState) => readonly EventDraft[]
const to =
  (status: OrderStatus): Step =>
  () => [{ status }]
const held: Step = (order) => validate(order, aMarket(order)).events
const unavailable: Step = (order) => {
  const avails = order.lines.map(({ product_id, period }) => ({ product_id, ...period, state: 'unavailable' as const }))
  return validate(order, aMarket(order, { avails })).events
}
const decided =
  (decision: 'approve' | 'reject'): Step =>
  (order) =>
    decide(order, { decision, actor: 'Sam Seller' }, CONTEXT).events

const PATHS: Record<OrderStatus, Step[]> = {
  submitted: [],
  validating: [to('validating')],
  needs_confirmation: [to('validating'), to('needs_confirmation')],
  confirmed: [to('validating'), to('needs_confirmation'), to('confirmed')],
  seller_review: [held],
  negotiating: [held, to('negotiating')],
  placed: [held, decided('approve')],
  canceled: [(order) => cancel(order, {}, later(order)).events],
  rejected: [held, decided('reject')],
  failed: [unavailable],
}
