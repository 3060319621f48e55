import type { CreateOrder, OrderWarning } from '../../contract/createOrder.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { Workflow } from '../../contract/vocabulary.ts'
import type { OnCredit } from '../agreement/settlement.ts'
import type { Instant } from '../calendar.ts'
import { datesAboveAvail } from '../lines/aboveAvail.ts'
import type { PublishedAvail } from '../lines/availability.ts'
import { disclosedAvails, type LineTerms } from '../lines/checkLine.ts'
import { doubleBookedWeeks } from '../lines/doubleBookedWeeks.ts'
import { guaranteedImpressions } from '../lines/guaranteedImpressions.ts'
import type { LineFacts } from '../lines/lineResult.ts'
import { refuseIfAny } from '../refusal.ts'
import { checkOrder, type Intake, workflowsOf } from './checkOrder.ts'
import type { EventDraft } from './decision.ts'
import type { OrderFacts } from './state.ts'

/** Ids and times, passed in because rules are pure. */
export interface Birth {
  order_id: string
  unit_ids: readonly string[]
  buyer_entity: string
  created_at: Instant
}

/** A new order before its first event is stamped. */
export interface Creation {
  facts: OrderFacts
  event: EventDraft
  warnings: OrderWarning[]
  /** The credit cap of a cleared order's agreement, which its create is held to. */
  credit?: Omit<OnCredit, 'gross'>
}

/** Turns a create request into an order, or refuses it with all of its faults (contract, Order creation body; Create rules). */
export function create(request: CreateOrder, intake: Intake, birth: Birth): Creation {
  const { faults, lines, attached, terms } = checkOrder(request, intake, birth.unit_ids)
  refuseIfAny(faults)
  const items = request.line_items ?? []
  const facts: OrderFacts = {
    order_id: birth.order_id,
    ...(intake.seller === undefined ? {} : { seller_name: intake.seller.name }),
    buyer_entity: birth.buyer_entity,
    ...(intake.buyer_name === undefined ? {} : { buyer_name: intake.buyer_name }),
    workflow: workflowOf(request),
    created_at: birth.created_at,
    taxonomy_version: intake.seller?.taxonomy_version ?? '',
    settlement_mode: attached?.settlement_mode ?? 'direct',
    cancellation_terms: attached?.cancellation_terms ?? null,
    version: (intake.superseded?.version ?? 0) + 1,
    currency: items[0]?.rate.currency ?? attached?.currency ?? intake.seller?.currency ?? '',
    decision_latency_minutes: intake.seller?.profile.sla.max_decision_latency_minutes ?? 0,
    lines,
    ...(intake.notify_endpoint === undefined ? {} : { notify_endpoint: intake.notify_endpoint }),
  }
  const impressions = guaranteedImpressions(items, intake.cited)
  return {
    facts: impressions === undefined ? facts : { ...facts, impressions },
    event: { status: 'submitted' },
    warnings: [...warningsOf(items, intake.avails), ...aboveAvail(items, lines, terms), ...doubleBooked(items, lines, intake)],
    ...(attached?.settlement_mode === 'cleared' && attached.credit_limit !== undefined
      ? { credit: { agreement_id: attached.agreement_id, credit_limit: attached.credit_limit } }
      : {}),
  }
}

/** Derives the workflow from the input that the body has; it is never sent (contract, Workflows). */
export function workflowOf(request: CreateOrder): Workflow {
  const [workflow] = workflowsOf(request)
  if (workflow === undefined) throw new Error('a create request has exactly one of the three inputs')
  return workflow
}

/** Returns a warning for each product ordered beyond its disclosed count. Counts never refuse an order. */
function aboveAvail(items: readonly LineItem[], facts: readonly LineFacts[], terms: LineTerms): OrderWarning[] {
  const lines = items.map((line, index) => ({ line, booked_dates: facts[index]?.booked_dates ?? [] }))
  return [...new Set(items.map(({ product_id }) => product_id))].flatMap((product_id) => {
    const product = terms.products.find((each) => each.product_id === product_id)
    const dates = product === undefined ? [] : datesAboveAvail(product_id, lines, disclosedAvails(product, terms))
    return dates.length === 0 ? [] : [{ code: 'ABOVE_PUBLISHED_AVAIL' as const, product_id, dates }]
  })
}

/** Returns a warning for each product of which two months book the week that they share. */
function doubleBooked(items: readonly LineItem[], facts: readonly LineFacts[], { booked_months = [] }: Intake): OrderWarning[] {
  const lines = items.map((line, index) => ({ line, booked_dates: facts[index]?.booked_dates ?? [] }))
  return doubleBookedWeeks(lines, booked_months).map(({ order_ids, ...found }) => ({
    code: 'DOUBLE_BOOKED_WEEK' as const,
    ...found,
    ...(order_ids.length === 0 ? {} : { order_ids }),
  }))
}

/** Returns one warning per product with a day line on a date that has no day avail (contract, Create response). */
function warningsOf(items: readonly LineItem[], avails: readonly PublishedAvail[]): OrderWarning[] {
  const dates = new Map<string, Set<string>>()
  for (const { product_id, period } of items) {
    if (period.grain !== 'day') continue
    if (avails.some((avail) => avail.product_id === product_id && avail.grain === 'day' && avail.start === period.start)) continue
    dates.set(product_id, (dates.get(product_id) ?? new Set()).add(period.start))
  }
  return [...dates].map(([product_id, missing]) => ({ code: 'DATE_GRAIN_AVAILS_MISSING', product_id, dates: [...missing].sort() }))
}
