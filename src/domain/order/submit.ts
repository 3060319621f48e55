import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import type { CreateOrder, OrderWarning } from '../../contract/createOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { Workflow } from '../../contract/vocabulary.ts'
import { overridesOf } from '../agreement/disclosure.ts'
import { permissionsOf } from '../agreement/permissions.ts'
import type { OnCredit } from '../agreement/settlement.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import type { Instant } from '../calendar.ts'
import type { PublishedAvail } from '../lines/availability.ts'
import { checkLine, type LineTerms } from '../lines/checkLine.ts'
import { guaranteedImpressions } from '../lines/guaranteedImpressions.ts'
import { Refusal, refuseIfAny } from '../refusal.ts'
import { checkAttachments, checkInputUpload, type UsableUpload } from '../uploads/checkAttachments.ts'
import type { EventDraft } from './decision.ts'
import type { OrderFacts } from './state.ts'

/** What is known about the world when an order is created, as far as its request names it; `products` in sight of this buyer or not. */
export interface Intake extends Pick<LineTerms, 'products' | 'cited' | 'card' | 'avails' | 'creatives'> {
  seller: { name: string; currency?: string; taxonomy_version: string | null; profile: SellerProfile } | undefined
  /** Whether this seller lets this buyer order. */
  standing: Pick<BuyerStanding, 'status' | 'allowlisted'>
  /** Every agreement in force between the two: what they unlock and restrict holds whether presented or not. */
  agreements: readonly Agreement[]
  rate_version_known: boolean
  /** The uploads of this buyer that the request names, as far as they can be used. */
  uploads: readonly UsableUpload[]
  /** The order that the request revises, when it is this buyer's with this seller. */
  superseded?: { version: number } | undefined
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
  /** The cap of a cleared order's agreement, which the commit must hold. */
  credit?: Omit<OnCredit, 'gross'>
}

/** A create request becomes an order, or is refused with everything that is wrong with it (spec, Order creation body and Create rules). */
export function submit(ask: CreateOrder, intake: Intake, birth: Birth): Submitted {
  refuseOutsiders(ask, intake)
  const items = ask.line_items ?? []
  const attached = intake.agreements.find(({ agreement_id }) => agreement_id === ask.agreement_id)
  const terms: LineTerms = {
    ...intake,
    seller: ask.seller,
    provider: intake.seller?.name ?? ask.seller,
    flight: ask.flight,
    products: visibleProducts(intake.products, intake.agreements),
    permissions: permissionsOf(intake.agreements),
    overrides: overridesOf(intake.agreements, ask.agreement_id),
    attached,
  }
  const lines = items.map((item, index) => checkLine(item, index, terms, birth.unit_ids[index] as string))
  const lineFaults = lines.flatMap((line, index) => [...('faults' in line ? line.faults : []), ...checkCurrency(items, index)])
  refuseIfAny([...checkHead(ask, intake), ...lineFaults, ...checkReferences(ask, intake, attached)]) // in body order: the first one speaks
  const facts: OrderFacts = {
    order_id: birth.order_id,
    buyer_entity: birth.buyer_entity,
    workflow: workflowOf(ask),
    created_at: birth.created_at,
    taxonomy_version: intake.seller?.taxonomy_version ?? '',
    settlement_mode: attached?.settlement_mode ?? 'direct',
    cancellation_terms: attached?.cancellation_terms ?? null,
    version: (intake.superseded?.version ?? 0) + 1,
    currency: items[0]?.rate.currency ?? attached?.currency ?? intake.seller?.currency ?? '',
    decision_latency_minutes: intake.seller?.profile.sla.max_decision_latency_minutes ?? 0,
    lines: lines.flatMap((line) => ('facts' in line ? [line.facts] : [])),
  }
  const impressions = guaranteedImpressions(items, intake.cited)
  return {
    facts: impressions === undefined ? facts : { ...facts, impressions },
    event: { status: 'submitted' },
    warnings: warningsOf(items, intake.avails),
    ...(attached?.settlement_mode === 'cleared' && attached.credit_limit !== undefined
      ? { credit: { agreement_id: attached.agreement_id, credit_limit: attached.credit_limit } }
      : {}),
  }
}

/** Which of the three inputs the body carries; never sent (spec, What the service does, 2). */
export function workflowOf(ask: CreateOrder): Workflow {
  if (ask.line_items !== undefined) return 'catalog'
  return ask.request !== undefined ? 'proposal' : 'document'
}

/** A buyer that the seller suspended, or has not on its allowlist, creates nothing (spec, Authentication 3). */
function refuseOutsiders({ seller: id }: CreateOrder, { seller, standing }: Intake): void {
  if (standing.status === 'suspended') throw new Refusal('FORBIDDEN', `${id} has suspended this buyer.`)
  if (seller?.profile.access === 'allowlist' && !standing.allowlisted) {
    throw new Refusal('FORBIDDEN', `This buyer is not on the allowlist of ${id}.`)
  }
}

function checkHead(ask: CreateOrder, { seller, rate_version_known }: Intake): Fault[] {
  if (seller === undefined) return [invalid('seller', `${ask.seller} is not a seller on this marketplace.`)]
  const faults: Fault[] = []
  if (!rate_version_known) faults.push(invalid('rate_version', `${ask.rate_version} is not a rate card commit of ${ask.seller}.`))
  const workflow = workflowOf(ask)
  if (!seller.profile.modes[workflow]) faults.push(invalid('workflow', `${ask.seller} does not take ${workflow} orders.`))
  return faults
}

/** What the request refers to beside its lines: uploads and orders are the buyer's own, and an agreement is one with this seller. */
function checkReferences(ask: CreateOrder, { seller, superseded, uploads }: Intake, attached: Agreement | undefined): Fault[] {
  const isTaken = seller?.profile.modes[workflowOf(ask)] === true
  const faults: Fault[] = [...(isTaken ? checkInputUpload(ask, uploads) : []), ...checkAttachments(ask.attachments ?? [], uploads)]
  if (ask.revision !== undefined && superseded === undefined) {
    faults.push(invalid('revision.supersedes', `${ask.revision.supersedes} is not an order of yours with ${ask.seller}.`))
  }
  const mode = attached?.settlement_mode ?? 'direct'
  if (ask.settlement_mode !== undefined && ask.settlement_mode !== mode) {
    faults.push(invalid('settlement_mode', `The settlement mode is ${mode}: it follows from the agreement presented.`))
  }
  if (ask.notify_url !== undefined) faults.push(invalid('notify_url', 'notify_url is not a registered endpoint of this buyer.'))
  if (ask.agreement_id !== undefined && attached === undefined) {
    const fault = invalid('agreement_id', `${ask.agreement_id} is not an agreement with ${ask.seller}.`)
    faults.push({ ...fault, details: { agreement_id: ask.agreement_id } })
  }
  return faults
}

/** An order is in one trade currency: its totals are one sum. */
function checkCurrency(items: readonly LineItem[], index: number): Fault[] {
  const currency = items[0]?.rate.currency
  const own = items[index]?.rate.currency
  return own === currency
    ? []
    : [invalid(`line_items.${index}.rate.currency`, `The order is in ${currency}: ${own} cannot stand beside it.`)]
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
  return { error_code: 'INVALID_INPUT', field, message }
}
