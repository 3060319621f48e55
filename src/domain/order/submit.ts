import type { Avail } from '../../contract/avail.ts'
import type { CreateOrder, OrderWarning } from '../../contract/createOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { ErrorCode, Workflow } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'
import { decimal, jsonNumber } from '../decimal.ts'
import { bookedDates } from '../lines/allocation.ts'
import { availsFor, lineAvailability, type PublishedAvail } from '../lines/availability.ts'
import { checkFlight } from '../lines/flight.ts'
import { checkGrain } from '../lines/grain.ts'
import { checkPrice, impressionsPerUnit, type RateOnCard } from '../lines/pricing.ts'
import { refuseIfAny } from '../refusal.ts'
import type { EventDraft } from './decision.ts'
import type { LineFacts, OrderFacts } from './state.ts'

/** What is known about the world when an order is created, as far as its request names it. */
export interface Intake {
  seller: { name: string; taxonomy_version: string | null; profile: SellerProfile } | undefined
  rate_version_known: boolean
  /** The products named, and their mirrors, as far as this buyer may see them. */
  products: readonly Product[]
  cited: readonly RateOnCard[]
  /** The current prices of the weeks that month lines touch. */
  card: readonly RateOnCard[]
  avails: readonly (PublishedAvail & Pick<Avail, 'impressions'>)[]
}

/** Ids and the clock, which rules never make themselves. */
export interface Birth {
  order_id: string
  unit_ids: readonly string[]
  buyer_entity: string
  created_at: Instant
}

export interface Submitted {
  facts: OrderFacts
  event: EventDraft
  warnings: OrderWarning[]
}

/** A create request becomes an order, or is refused with everything that is wrong with it (spec, Order creation body and Create rules). */
export function submit(ask: CreateOrder, intake: Intake, birth: Birth): Submitted {
  const items = ask.line_items ?? []
  const lines = items.map((item, index) => checkLine(ask, item, index, intake, birth.unit_ids[index] as string))
  refuseIfAny([...checkHead(ask, intake), ...checkReferences(ask), ...lines.flatMap(({ faults }) => faults), ...checkCurrencies(items)])
  const facts: OrderFacts = {
    order_id: birth.order_id,
    buyer_entity: birth.buyer_entity,
    workflow: workflowOf(ask),
    created_at: birth.created_at,
    taxonomy_version: intake.seller?.taxonomy_version ?? '',
    settlement_mode: 'direct',
    cancellation_terms: null,
    version: 1,
    currency: items[0]?.rate.currency ?? '',
    decision_latency_minutes: intake.seller?.profile.sla.max_decision_latency_minutes ?? 0,
    lines: lines.flatMap(({ facts }) => (facts === undefined ? [] : [facts])),
  }
  const impressions = guaranteedImpressions(items)
  return {
    facts: impressions === undefined ? facts : { ...facts, impressions },
    event: { status: 'submitted' },
    warnings: warningsOf(items, intake.avails),
  }
}

/** Which of the three inputs the body carries; never sent (spec, What the service does, 2). */
export function workflowOf(ask: CreateOrder): Workflow {
  if (ask.line_items !== undefined) return 'catalog'
  return ask.request !== undefined ? 'proposal' : 'document'
}

function checkHead(ask: CreateOrder, { seller, rate_version_known }: Intake): Fault[] {
  if (seller === undefined) return [invalid('seller', `${ask.seller} is not a seller on this marketplace.`)]
  const faults: Fault[] = []
  if (!rate_version_known) faults.push(invalid('rate_version', `${ask.rate_version} is not a rate card commit of ${ask.seller}.`))
  const workflow = workflowOf(ask)
  if (!seller.profile.modes[workflow]) faults.push(invalid('workflow', `${ask.seller} does not take ${workflow} orders.`))
  return faults
}

/** References into registries of the buyer, none of which holds anything that these could name. */
function checkReferences(ask: CreateOrder): Fault[] {
  const faults: Fault[] = []
  if (ask.agreement_id !== undefined) {
    const fault = invalid('agreement_id', `${ask.agreement_id} is not an agreement with ${ask.seller}.`)
    faults.push({ ...fault, details: { agreement_id: ask.agreement_id } })
  }
  if (ask.settlement_mode === 'cleared') faults.push(invalid('settlement_mode', 'Without an agreement the settlement mode is direct.'))
  if (ask.notify_url !== undefined) faults.push(invalid('notify_url', 'notify_url is not a registered endpoint of this buyer.'))
  if (ask.revision !== undefined)
    faults.push(invalid('revision.supersedes', `${ask.revision.supersedes} is not an order that can be revised.`))
  for (const [index, { upload_id }] of (ask.attachments ?? []).entries()) {
    faults.push(invalid(`attachments.${index}.upload_id`, `${upload_id} is not an uploaded file of this buyer.`))
  }
  return faults
}

function checkLine(
  ask: CreateOrder,
  item: LineItem,
  index: number,
  intake: Intake,
  unit_id: string,
): { faults: Fault[]; facts?: LineFacts } {
  const at = `line_items.${index}`
  const product = intake.products.find(({ product_id }) => product_id === item.product_id)
  const faults = checkCreatives(item, at)
  if (product === undefined)
    return { faults: [invalid(`${at}.product_id`, `${item.product_id} is not a product of ${ask.seller}.`), ...faults] }
  const wrongGrain = checkGrain(product, item.period, undefined, `${at}.period`)
  if (wrongGrain.length > 0) return { faults: [...wrongGrain, ...faults] }
  const booked_dates = bookedDates(product, item.period)
  const cited = intake.cited.find(({ locked_rate_id }) => locked_rate_id === item.rate.locked_rate_id)
  faults.push(...checkDates(product, booked_dates, at), ...checkFlight(ask.flight, index, item.period, booked_dates))
  faults.push(...checkPrice(item, cited, intake.card, at))
  if (!product.buy_types.includes(item.rate.buy_type))
    faults.push(invalid(`${at}.rate.buy_type`, `${product.product_id} is not sold ${item.rate.buy_type}.`))
  const mirror = intake.products.find(({ product_id }) => product_id === product.mirror_product_id)
  if (item.include_mirror === true && mirror === undefined)
    faults.push(invalid(`${at}.include_mirror`, `${product.product_id} has no mirror.`))
  if (faults.length > 0 || cited === undefined) return { faults }
  const published = availsFor(item, intake.avails).find(({ impressions }) => impressions !== undefined)?.impressions
  const impressions_per_unit = impressionsPerUnit(item, cited, published)
  if (item.rate.cpm !== undefined && impressions_per_unit === undefined) {
    return { faults: [invalid(`${at}.rate.cpm`, `Line ${index} is priced by cpm, and no impressions per unit are published for it.`)] }
  }
  return {
    faults,
    facts: {
      unit_id,
      provider: intake.seller?.name ?? ask.seller,
      network: product.network,
      booked_dates,
      ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }),
      availability: lineAvailability(item, intake.avails),
      posting_policy: { policy: product.posting_policy ?? null, source: product.posting_policy === undefined ? 'unstated' : 'product' },
      ...(item.include_mirror === true && mirror !== undefined
        ? { mirror: { product_id: mirror.product_id, network: mirror.network } }
        : {}),
    },
  }
}

/** A line books at least one date, and none on which the product is not sold. */
function checkDates(product: Product, dates: readonly string[], at: string): Fault[] {
  if (dates.length === 0) return [invalid(`${at}.period`, `${product.product_id} does not air in this period.`)]
  const { effective } = product
  const outside = effective && dates.find((date) => date < effective.start || date > effective.end)
  if (outside === undefined) return []
  return [
    invalid(`${at}.period`, `${product.product_id} is sold from ${effective?.start} to ${effective?.end}; the line books ${outside}.`),
  ]
}

function checkCreatives({ creative_id, traffic_instructions }: LineItem, at: string): Fault[] {
  const unknown = (id: string, field: string) => fault('UNKNOWN_CREATIVE', `${at}.${field}`, `${id} is not a creative of this buyer.`)
  const splits = traffic_instructions?.creative_splits ?? []
  return [
    ...(creative_id === undefined ? [] : [unknown(creative_id, 'creative_id')]),
    ...splits.map((split, index) => unknown(split.creative_id, `traffic_instructions.creative_splits.${index}.creative_id`)),
  ]
}

/** An order is in one trade currency: its totals are one sum. */
function checkCurrencies(items: readonly LineItem[]): Fault[] {
  const currency = items[0]?.rate.currency
  return items.flatMap(({ rate }, index) =>
    rate.currency === currency
      ? []
      : [invalid(`line_items.${index}.rate.currency`, `The order is in ${currency}: ${rate.currency} cannot stand beside it.`)],
  )
}

/** totals.impressions: guaranteed_impressions times units per audience code, over audience_guaranteed lines (spec, Order snapshot). */
function guaranteedImpressions(items: readonly LineItem[]): Record<string, number> | undefined {
  const byCode = new Map<string, number>()
  for (const { rate, units } of items) {
    if (rate.buy_type !== 'audience_guaranteed' || rate.guaranteed_impressions === undefined || rate.audience_code === undefined) continue
    const so_far = byCode.get(rate.audience_code) ?? 0
    byCode.set(rate.audience_code, jsonNumber(decimal(rate.guaranteed_impressions).times(units).plus(so_far)))
  }
  return byCode.size === 0 ? undefined : Object.fromEntries(byCode)
}

/** A day line names a date for which no day-grain avail is published: one warning per product, and nothing else changes (spec, Create response). */
function warningsOf(items: readonly LineItem[], avails: readonly PublishedAvail[]): OrderWarning[] {
  const dates = new Map<string, Set<string>>()
  for (const { product_id, period } of items) {
    if (period.grain !== 'day') continue
    if (avails.some((avail) => avail.product_id === product_id && avail.grain === 'day' && avail.start === period.start)) continue
    dates.set(product_id, (dates.get(product_id) ?? new Set()).add(period.start))
  }
  return [...dates].map(([product_id, missing]) => ({ code: 'DATE_GRAIN_AVAILS_MISSING', product_id, dates: [...missing].sort() }))
}

function invalid(field: string, message: string): Fault {
  return fault('INVALID_INPUT', field, message)
}

function fault(error_code: ErrorCode, field: string, message: string): Fault {
  return { error_code, field, message }
}
