import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { ReadableCreate, ReadableLine } from '../../contract/readableCreate.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { ORDERS_PER_FAMILY, WORKFLOWS, type Workflow } from '../../contract/vocabulary.ts'
import { disclosureFor, overridesOf } from '../agreement/disclosure.ts'
import { permissionsOf } from '../agreement/permissions.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import type { Instant, IsoDate } from '../calendar.ts'
import { checkCitedHolds, type StandingHold } from '../holds/checkCitedHolds.ts'
import { checkLine, type LineTerms } from '../lines/checkLine.ts'
import { checkTotals } from '../lines/checkTotals.ts'
import type { LineFacts } from '../lines/lineResult.ts'
import { isOpenAt } from '../lines/pricing.ts'
import { invalid, Refusal } from '../refusal.ts'
import { checkAttachments, checkInputUpload, type UsableUpload } from '../uploads/checkAttachments.ts'
import { type FamilyMember, isFull, placedSuccessor } from './family.ts'

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
  /** The standing holds of this buyer with this seller that the lines cite. */
  holds: readonly StandingHold[]
  /** When the world was looked at. */
  asked_at: Instant
  /** The order that the request revises, when it is this buyer's with this seller, and its family. */
  superseded?: { version: number; family: readonly FamilyMember[] } | undefined
  /** The active endpoint of this buyer whose URL the request's notify_url is, scheme and host apart letter by letter. */
  notify_endpoint?: string | undefined
}

export interface Checked {
  faults: Fault[]
  /** What the platform fixes about each line; of every line when there is no fault. */
  lines: LineFacts[]
  /** The agreement that the request presents. */
  attached: Agreement | undefined
  /** What the lines were held against. */
  terms: LineTerms
}

/** Everything that is wrong with a create request, as far as it can be read (spec, Order creation body and Create rules). */
export function checkOrder(ask: ReadableCreate, intake: Intake, unitIds: readonly string[]): Checked {
  refuseOutsiders(ask, intake)
  const items = ask.line_items ?? []
  const terms = withoutUndisclosed(lineTermsOf(ask, intake))
  const { attached } = terms
  const lines = items.map((item, index) => checkLine(item, index, terms, unitIds[index] ?? ''))
  const held = ask.seller === undefined ? [] : checkCitedHolds(items, intake.holds)
  const lineFaults = lines.flatMap((line, index) => [
    ...('faults' in line ? line.faults : []),
    ...(held[index] ?? []),
    ...checkCurrency(items, index, attached),
    ...checkWindow(items, index, terms, intake.asked_at),
  ])
  const facts = lines.flatMap((line) => ('facts' in line ? [line.facts] : []))
  const ordered = facts.map((fixed, index) => ({ line: items[index] as LineItem, impressions_per_unit: fixed.impressions_per_unit }))
  const isWhole = facts.length === items.length // of some of its lines there is nothing to add up
  return {
    faults: [
      ...checkHead(ask, intake),
      ...lineFaults,
      ...(isWhole ? checkTotals(ordered, terms.cited, 'The order', 'line_items') : []),
      ...checkReferences(ask, intake, attached),
    ],
    lines: facts,
    attached,
    terms,
  }
}

/** What the lines of a request are held against. */
export function lineTermsOf(ask: ReadableCreate, intake: Intake): LineTerms {
  return {
    ...visibleCatalog(ask, intake),
    seller: intake.seller && ask.seller,
    lead: intake.seller && { min_lead_minutes: intake.seller.profile.sla.min_lead_minutes, now: intake.asked_at },
  }
}

/** The market as this buyer sees and may use it, with the agreement that it presents. */
export function visibleCatalog(ask: Pick<ReadableCreate, 'agreement_id' | 'flight' | 'request'>, intake: Intake) {
  const { agreement_id } = ask
  return {
    ...intake,
    flight: flightOf(ask),
    provider: intake.seller?.name ?? '',
    products: visibleProducts(intake.products, intake.agreements),
    permissions: permissionsOf(intake.agreements),
    overrides: overridesOf(intake.agreements, agreement_id),
    attached: intake.agreements.find((agreement) => agreement.agreement_id === agreement_id),
  }
}

/** What the avails read does not disclose cannot be cited: of a product that is priced by quote the buyer's own quotes alone (choices, Price clearance). */
function withoutUndisclosed(terms: LineTerms): LineTerms {
  const quoted = new Set(
    terms.products
      .filter((product) => disclosureFor(product, terms.overrides).pricing_policy === 'quote')
      .map(({ product_id }) => product_id),
  )
  return { ...terms, cited: terms.cited.filter(({ product_id, visible_to }) => visible_to !== null || !quoted.has(product_id)) }
}

/** A price is cited while its window is open: a price locks at order time (spec, Events 8; choices, Price clearance). */
function checkWindow(items: readonly ReadableLine[], index: number, { products, cited }: LineTerms, now: Instant): Fault[] {
  const item = items[index]
  const price = cited.find(({ locked_rate_id }) => locked_rate_id === item?.rate?.locked_rate_id)
  const isKnown = price?.product_id === item?.product_id && products.some(({ product_id }) => product_id === item?.product_id)
  if (price === undefined || !isKnown || isOpenAt(price, now)) return []
  const { locked_rate_id, window_opens, window_closes } = price
  const message = `The window of the cited price is not open: it ${window_opens ? `opens at ${window_opens} and ` : ''}closes at ${window_closes}.`
  return [{ ...invalid(`line_items.${index}.rate.locked_rate_id`, message), details: { locked_rate_id } }]
}

/** Within which dates an order is to air: its own flight, and that of a proposal's request (choices, Proposals and plans). */
export function flightOf({ flight, request }: Pick<ReadableCreate, 'flight' | 'request'>): { start: IsoDate; end: IsoDate } | undefined {
  const asked = request?.flight
  if (flight === undefined || asked === undefined) return flight ?? asked
  const [, start = flight.start] = [flight.start, asked.start].sort()
  const [end = flight.end] = [flight.end, asked.end].sort()
  return { start, end }
}

/** The workflows whose input the body carries; a valid body has one. */
export function workflowsOf(ask: ReadableCreate): Workflow[] {
  const inputs = { catalog: ask.line_items, proposal: ask.request, document: ask.document }
  return WORKFLOWS.filter((workflow) => inputs[workflow] !== undefined)
}

/** A buyer that the seller suspended, or has not on its allowlist, creates nothing (spec, Authentication 3). */
function refuseOutsiders({ seller: id }: ReadableCreate, { seller, standing }: Intake): void {
  if (standing.status === 'suspended') throw new Refusal('FORBIDDEN', `${id} has suspended this buyer.`)
  if (seller?.profile.access === 'allowlist' && !standing.allowlisted) {
    throw new Refusal('FORBIDDEN', `This buyer is not on the allowlist of ${id}.`)
  }
}

function checkHead(ask: ReadableCreate, { seller, rate_version_known }: Intake): Fault[] {
  if (ask.seller === undefined) return []
  if (seller === undefined) return [invalid('seller', `${ask.seller} is not a seller on this marketplace.`)]
  const faults: Fault[] = []
  if (ask.rate_version !== undefined && !rate_version_known) {
    faults.push(invalid('rate_version', `${ask.rate_version} is not a rate card commit of ${ask.seller}.`))
  }
  for (const workflow of workflowsOf(ask)) {
    if (!seller.profile.modes[workflow]) faults.push(invalid('workflow', `${ask.seller} does not take ${workflow} orders.`))
  }
  return faults
}

/** What the request refers to beside its lines: uploads and orders are the buyer's own, and an agreement is one with this seller. */
function checkReferences(
  ask: ReadableCreate,
  { seller, superseded, uploads, notify_endpoint }: Intake,
  attached: Agreement | undefined,
): Fault[] {
  const isTaken = workflowsOf(ask).every((workflow) => seller?.profile.modes[workflow] === true)
  const faults: Fault[] = [...(isTaken ? checkInputUpload(ask, uploads) : []), ...checkAttachments(ask.attachments ?? [], uploads)]
  if (ask.notify_url !== undefined && notify_endpoint === undefined) {
    faults.push(invalid('notify_url', 'notify_url is not a registered endpoint of this buyer that is active.'))
  }
  if (ask.seller === undefined) return faults
  if (ask.revision !== undefined) faults.push(...checkRevision(ask.revision, superseded, ask.seller))
  const mode = attached?.settlement_mode ?? 'direct'
  if (ask.settlement_mode !== undefined && ask.settlement_mode !== mode) {
    faults.push(invalid('settlement_mode', `The settlement mode is ${mode}: it follows from the agreement presented.`))
  }
  if (ask.agreement_id !== undefined && attached === undefined) {
    const fault = invalid('agreement_id', `${ask.agreement_id} is not an agreement with ${ask.seller}.`)
    faults.push({ ...fault, details: { agreement_id: ask.agreement_id } })
  }
  return faults
}

/** An order is revised while no revision of it is placed: then that one is to be revised (choices, States). */
function checkRevision({ supersedes }: { supersedes: string }, superseded: Intake['superseded'], seller: string): Fault[] {
  const field = 'revision.supersedes'
  if (superseded === undefined) return [invalid(field, `${supersedes} is not an order of yours with ${seller}.`)]
  const successor = placedSuccessor(supersedes, superseded.family)
  if (successor !== undefined) {
    return [{ ...invalid(field, `${supersedes} was revised by ${successor}, which is placed: revise that one.`), details: { successor } }]
  }
  if (!isFull(superseded.family)) return []
  return [invalid(field, `${supersedes} and its revisions are ${superseded.family.length} orders; at most ${ORDERS_PER_FAMILY} can be.`)]
}

/** An order is in one trade currency: its totals are one sum. */
function checkCurrency(items: readonly ReadableLine[], index: number, attached: Agreement | undefined): Fault[] {
  const own = items[index]?.rate?.currency
  if (attached?.settlement_mode === 'cleared' && own !== undefined && own !== attached.currency) {
    const message = `${attached.agreement_id} is cleared in ${attached.currency}: an order under it cannot be in ${own}.`
    return [{ ...invalid(`line_items.${index}.rate.currency`, message), details: { currency: attached.currency } }]
  }
  const currency = items[0]?.rate?.currency
  return own === currency || own === undefined || currency === undefined
    ? []
    : [invalid(`line_items.${index}.rate.currency`, `The order is in ${currency}: ${own} cannot stand beside it.`)]
}
