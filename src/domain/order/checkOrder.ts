import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { ReadableCreate, ReadableLine } from '../../contract/readableCreate.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { ORDERS_PER_FAMILY } from '../../contract/vocabulary/bounds.ts'
import { WORKFLOWS, type Workflow } from '../../contract/vocabulary.ts'
import { disclosureFor, overridesOf } from '../agreement/disclosure.ts'
import { permissionsOf } from '../agreement/permissions.ts'
import { sellsAt } from '../agreement/quotedPricing.ts'
import { refuseOutsider } from '../agreement/refuseOutsider.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import type { Instant, IsoDate } from '../calendar.ts'
import { checkCitedHolds, type OpenHold } from '../holds/checkCitedHolds.ts'
import { checkLine, type LineTerms } from '../lines/checkLine.ts'
import { checkTotals } from '../lines/checkTotals.ts'
import type { BookedMonth } from '../lines/doubleBookedWeeks.ts'
import type { LineFacts } from '../lines/lineResult.ts'
import { isOpenAt } from '../lines/pricing.ts'
import { invalid } from '../refusal.ts'
import { checkAttachments, checkInputUpload, type UsableUpload } from '../uploads/checkAttachments.ts'
import { type FamilyMember, isFull, placedSuccessor } from './family.ts'

/** The stored state that a create request names. `products` include those that this buyer cannot see. */
export interface Intake extends Pick<LineTerms, 'products' | 'cited' | 'card' | 'avails' | 'creatives'> {
  seller: { name: string; currency?: string; taxonomy_version: string | null; profile: SellerProfile } | undefined
  /** The name of the buyer. */
  buyer_name?: string | undefined
  /** The seller's access settings for this buyer. */
  standing: Pick<BuyerStanding, 'status' | 'allowlisted'>
  /** Every agreement in force between the two. They unlock and restrict products even if the order does not cite them. */
  agreements: readonly Agreement[]
  rate_version_known: boolean
  /** The usable uploads of this buyer that the request cites. */
  uploads: readonly UsableUpload[]
  /** The active holds of this buyer with this seller that the lines cite. */
  holds: readonly OpenHold[]
  /** The time at which the state was read. */
  asked_at: Instant
  /** The order that the request revises, with its family; undefined if it is not this buyer's order with this seller. */
  superseded?: { version: number; family: readonly FamilyMember[] } | undefined
  /** The months of the ordered products that this buyer's other orders with this seller book and that share a week with those ordered. */
  booked_months?: readonly BookedMonth[]
  /** The active endpoint of this buyer whose URL equals notify_url; scheme and host compare case-insensitively. */
  notify_endpoint?: string | undefined
}

export interface Checked {
  faults: Fault[]
  /** The facts that the platform fixes for each line; complete if there are no faults. */
  lines: LineFacts[]
  /** The agreement that the request cites. */
  attached: Agreement | undefined
  /** The state that the lines were checked against. */
  terms: LineTerms
}

/** Returns every fault of a create request, checking all readable members (contract, Order creation body; Create rules). */
export function checkOrder(request: ReadableCreate, intake: Intake, unitIds: readonly string[]): Checked {
  refuseOutsider(request.seller, intake.seller?.profile, intake.standing)
  const items = request.line_items ?? []
  const terms = withoutUndisclosed(lineTermsOf(request, intake))
  const { attached } = terms
  const lines = items.map((item, index) => checkLine(item, index, terms, unitIds[index] ?? ''))
  const held = request.seller === undefined ? [] : checkCitedHolds(items, intake.holds)
  const lineFaults = lines.flatMap((line, index) => [
    ...('faults' in line ? line.faults : []),
    ...(held[index] ?? []),
    ...checkCurrency(items, index, attached),
    ...checkWindow(items, index, terms, intake.asked_at),
  ])
  const facts = lines.flatMap((line) => ('facts' in line ? [line.facts] : []))
  const ordered = facts.map((fixed, index) => ({ line: items[index] as LineItem, impressions_per_unit: fixed.impressions_per_unit }))
  const isWhole = facts.length === items.length // totals need every line
  return {
    faults: [
      ...checkHead(request, intake),
      ...lineFaults,
      ...(isWhole ? checkTotals(ordered, terms.cited, 'The order', 'line_items') : []),
      ...checkReferences(request, intake, attached),
    ],
    lines: facts,
    attached,
    terms,
  }
}

/** Returns the state that the lines of a request are checked against. */
export function lineTermsOf(request: ReadableCreate, intake: Intake): LineTerms {
  return {
    ...visibleCatalog(request, intake),
    seller: intake.seller && request.seller,
    lead: intake.seller && { min_lead_minutes: intake.seller.profile.sla.min_lead_minutes, now: intake.asked_at },
  }
}

/** Returns the products that this buyer may see and use under the agreement that it cites. */
export function visibleCatalog(request: Pick<ReadableCreate, 'agreement_id' | 'flight' | 'request'>, intake: Intake) {
  const { agreement_id } = request
  const { cited, card, avails, creatives, asked_at } = intake
  return {
    ...{ cited, card, avails, creatives, asked_at },
    flight: flightOf(request),
    provider: intake.seller?.name ?? '',
    products: visibleProducts(intake.products, intake.agreements),
    permissions: permissionsOf(intake.agreements),
    overrides: overridesOf(intake.agreements, agreement_id),
    attached: intake.agreements.find((agreement) => agreement.agreement_id === agreement_id),
  }
}

/** Removes prices that the avails read does not disclose (choices, Price clearance). */
function withoutUndisclosed(terms: LineTerms): LineTerms {
  const disclosures = new Map(terms.products.map((product) => [product.product_id, disclosureFor(product, terms.overrides)]))
  const cited = terms.cited.filter(({ product_id, visible_to }) => {
    const disclosure = disclosures.get(product_id)
    return disclosure === undefined || sellsAt(disclosure, { isOwnQuote: visible_to !== null })
  })
  return { ...terms, cited }
}

/** Checks that the window of the cited price is open, since a price locks at order time (contract, Windows; choices, Price clearance). */
function checkWindow(items: readonly ReadableLine[], index: number, { products, cited }: LineTerms, now: Instant): Fault[] {
  const item = items[index]
  const price = cited.find(({ locked_rate_id }) => locked_rate_id === item?.rate?.locked_rate_id)
  const isKnown = price?.product_id === item?.product_id && products.some(({ product_id }) => product_id === item?.product_id)
  if (price === undefined || !isKnown || isOpenAt(price, now)) return []
  const { locked_rate_id, window_opens, window_closes } = price
  const message = `The cited price is not in its window, which ${window_opens ? `opens at ${window_opens} and ` : ''}closes at ${window_closes}.`
  return [{ ...invalid(`line_items.${index}.rate.locked_rate_id`, message), details: { locked_rate_id } }]
}

/**
 * Returns the dates within which an order must air: the intersection of its own flight and that of a proposal's request (choices, Proposals and
 * plans).
 */
export function flightOf({ flight, request }: Pick<ReadableCreate, 'flight' | 'request'>): { start: IsoDate; end: IsoDate } | undefined {
  const asked = request?.flight
  if (flight === undefined || asked === undefined) return flight ?? asked
  const [, start = flight.start] = [flight.start, asked.start].sort()
  const [end = flight.end] = [flight.end, asked.end].sort()
  return { start, end }
}

/** Returns the workflows whose input the body has; a valid body has one. */
export function workflowsOf(request: ReadableCreate): Workflow[] {
  const inputs = { catalog: request.line_items, proposal: request.request, document: request.document }
  return WORKFLOWS.filter((workflow) => inputs[workflow] !== undefined)
}

function checkHead(request: ReadableCreate, { seller, rate_version_known }: Intake): Fault[] {
  if (request.seller === undefined) return []
  if (seller === undefined) return [invalid('seller', `${request.seller} is not a seller on this marketplace.`)]
  const faults: Fault[] = []
  if (request.rate_version !== undefined && !rate_version_known) {
    faults.push(invalid('rate_version', `${request.rate_version} is not a rate card commit of ${request.seller}.`))
  }
  for (const workflow of workflowsOf(request)) {
    if (!seller.profile.modes[workflow]) faults.push(invalid('workflow', `${request.seller} does not accept ${workflow} orders.`))
  }
  return faults
}

/** Checks the references outside of the lines: uploads and orders must be the buyer's own, and an agreement one with this seller. */
function checkReferences(
  request: ReadableCreate,
  { seller, superseded, uploads, notify_endpoint }: Intake,
  attached: Agreement | undefined,
): Fault[] {
  const isTaken = workflowsOf(request).every((workflow) => seller?.profile.modes[workflow] === true)
  const faults: Fault[] = [...(isTaken ? checkInputUpload(request, uploads) : []), ...checkAttachments(request.attachments ?? [], uploads)]
  if (request.notify_url !== undefined && notify_endpoint === undefined) {
    faults.push(invalid('notify_url', 'notify_url must be the URL of an active webhook endpoint of this buyer.'))
  }
  if (request.seller === undefined) return faults
  if (request.revision !== undefined) faults.push(...checkRevision(request.revision, superseded, request.seller))
  const mode = attached?.settlement_mode ?? 'direct'
  if (request.settlement_mode !== undefined && request.settlement_mode !== mode) {
    faults.push(invalid('settlement_mode', `settlement_mode must be ${mode}, as the cited agreement has it.`))
  }
  if (request.agreement_id !== undefined && attached === undefined) {
    const fault = invalid('agreement_id', `${request.agreement_id} is not an agreement with ${request.seller}.`)
    faults.push({ ...fault, details: { agreement_id: request.agreement_id } })
  }
  return faults
}

/** Checks that no revision of the order is placed; otherwise that revision is the one to revise (choices, States). */
function checkRevision({ supersedes }: { supersedes: string }, superseded: Intake['superseded'], seller: string): Fault[] {
  const field = 'revision.supersedes'
  if (superseded === undefined) return [invalid(field, `${supersedes} is not an order of this buyer with ${seller}.`)]
  const successor = placedSuccessor(supersedes, superseded.family)
  if (successor !== undefined) {
    return [
      {
        ...invalid(field, `${supersedes} was revised by ${successor}, which is placed; revise ${successor} instead.`),
        details: { successor },
      },
    ]
  }
  if (!isFull(superseded.family)) return []
  return [invalid(field, `${supersedes} and its revisions are ${superseded.family.length} orders; the limit is ${ORDERS_PER_FAMILY}.`)]
}

/** Checks that an order has one trade currency, since its totals are one sum. */
function checkCurrency(items: readonly ReadableLine[], index: number, attached: Agreement | undefined): Fault[] {
  const own = items[index]?.rate?.currency
  const field = `line_items.${index}.rate.currency`
  if (attached?.settlement_mode === 'cleared' && own !== undefined && own !== attached.currency) {
    const message = `${field} must be ${attached.currency}, in which ${attached.agreement_id} is cleared; ${own} was sent.`
    return [{ ...invalid(field, message), details: { currency: attached.currency } }]
  }
  const currency = items[0]?.rate?.currency
  return own === currency || own === undefined || currency === undefined
    ? []
    : [invalid(field, `${field} must be ${currency}, as on the first line; ${own} was sent.`)]
}
