import { setImmediate } from 'node:timers/promises'
import type { LineResolution } from '../../contract/confirmOrder.ts'
import type { DocumentLine } from '../../contract/documentParse.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import { overridesOf } from '../../domain/agreement/disclosure.ts'
import { visibleProducts } from '../../domain/agreement/visibleProducts.ts'
import { weeksOfPeriod } from '../../domain/calendar.ts'
import { availRate, type CardPrice } from '../../domain/discovery/availRate.ts'
import { checkLines, type PricedLine, type ResolvedLine } from '../../domain/document/checkLines.ts'
import { citePrice } from '../../domain/document/citePrices.ts'
import { type DraftLine, draftLines } from '../../domain/document/draftLines.ts'
import { type ProductFinder, productFinder } from '../../domain/document/productFinder.ts'
import type { ReadLine } from '../../domain/document/reading.ts'
import { isOpenAt } from '../../domain/lines/pricing.ts'
import { type Intake, lineTermsOf } from '../../domain/order/checkOrder.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { readProductPagesFor } from '../../store/catalog/catalog.ts'
import { readCurrentCard } from '../../store/catalog/rateCards.ts'
import type { Database } from '../../store/connection/database.ts'
import { newId } from '../../store/connection/newId.ts'
import { readIntake } from '../../store/orders/orderFacts.ts'

/** A line as it was read, and its state after an earlier resolution, if any. */
export type LineToResolve = { readonly line: number; readonly read: ReadLine } & Partial<Pick<DocumentLine, 'doubts' | 'line_item'>>

/**
 * Checks the lines of a document against what its seller publishes now. A line keeps a price that it had before, unless the buyer resolves it
 * differently: a price locks when it is first cited.
 */
export async function resolveDocument(
  db: Database,
  order: OrderState,
  lines: readonly LineToResolve[],
  resolutions: readonly LineResolution[] = [],
): Promise<ResolvedLine[]> {
  const { facts } = order
  const { seller, rate_version, agreement_id, flight } = order.request
  const request = { seller, rate_version, agreement_id, flight }
  const world = await readIntake(db, request, facts.buyer_entity)
  const isOpen = ({ line, line_item }: LineToResolve) => (line_item ?? null) === null || resolutions.some((of) => of.line === line)
  const open = lines.filter(isOpen)
  const find = await findIn(db, order, world, open, resolutions)
  const drafts = await inSteps(open, (step) => draftLines(step, find, resolutions))
  const prices = await pricesOf(db, order, world, drafts)
  const commissionPct = commissionOf(world, agreement_id)
  const terms = { overrides: overridesOf(world.agreements, agreement_id), currency: facts.currency, commissionPct }
  const cite = (draft: DraftLine) => citePrice(draft, { ...terms, prices: prices.get(draft.product?.product_id ?? '') ?? [] })
  const cited = new Map((await inSteps(drafts, (step) => step.map(cite))).map((line) => [line.draft.line, line]))
  const priced = lines.map(({ line, read, doubts = [], line_item }): PricedLine => {
    const { item, num_requested, unresolved } = cited.get(line) ?? currentItem(line_item)
    return { line, read, doubts, item, num_requested, unresolved }
  })
  const items = priced.flatMap(({ item }) => item ?? [])
  const intake = await readIntake(db, { ...request, line_items: items }, facts.buyer_entity)
  const lineTerms = lineTermsOf({ ...request, line_items: items }, intake)
  const checked = await inSteps(priced, (step) =>
    checkLines(
      step,
      lineTerms,
      step.map(() => newId('unit_')),
    ),
  )
  const stale = checked.filter(({ line, unresolved }) => !cited.has(line) && unresolved.length > 0)
  return stale.length === 0 ? checked : withCandidates(db, order, world, { checked, stale: new Set(stale.map(({ line }) => line)), lines })
}

/** Gives the prices that are published now to lines whose price, cited when the document was read, can no longer be booked. */
async function withCandidates(
  db: Database,
  order: OrderState,
  world: Intake,
  { checked, stale, lines }: { checked: readonly ResolvedLine[]; stale: ReadonlySet<number>; lines: readonly LineToResolve[] },
): Promise<ResolvedLine[]> {
  const again = lines.filter(({ line }) => stale.has(line))
  const chosen = again.map(({ line, line_item }) => ({ line, product_id: line_item?.product_id }))
  const drafts = draftLines(again, await findIn(db, order, world, again, chosen), chosen)
  const prices = await pricesOf(db, order, world, drafts)
  const published = new Map(drafts.map(({ line, product }) => [line, (prices.get(product?.product_id ?? '') ?? []).map(availRate)]))
  return checked.map((line) => ({
    ...line,
    unresolved: line.unresolved.map((value) =>
      stale.has(line.line) ? { ...value, published: (published.get(line.line) ?? []).slice(0, SHOWN) } : value,
    ),
  }))
}

/** The most alternatives to list. */
const SHOWN = 10

/** Returns the agency's commission of the order's agreement in percent; undefined if the order has none, or the agreement states none. */
function commissionOf({ agreements }: Intake, agreementId: string | undefined): number | undefined {
  return agreements.find(({ agreement_id }) => agreement_id === agreementId)?.agency_commission_pct
}

/** Maps lines in steps and yields in between, since a document may be long. */
async function inSteps<T, R>(lines: readonly T[], map: (step: readonly T[]) => R[]): Promise<R[]> {
  const mapped: R[] = []
  for (let at = 0; at < lines.length; at += STEP) {
    mapped.push(...map(lines.slice(at, at + STEP)))
    await setImmediate()
  }
  return mapped
}

const STEP = 25

/** Searches the catalog that the buyer may see for the products that the lines name. */
async function findIn(
  db: Database,
  { request, facts }: OrderState,
  { agreements }: Intake,
  lines: readonly LineToResolve[],
  resolutions: readonly LineResolution[],
): Promise<ProductFinder['find']> {
  const chosen = new Map(resolutions.map(({ line, product_id }) => [line, product_id]))
  const finder = productFinder(lines.map(({ line, read }) => ({ read, chosen: chosen.get(line) })))
  if (lines.length === 0) return finder.find // avoids reading a long catalog
  for await (const page of readProductPagesFor(db, request.seller, facts.buyer_entity)) finder.add(visibleProducts(page, agreements))
  return finder.find
}

function currentItem(line_item: DocumentLine['line_item'] | undefined): Pick<PricedLine, 'item' | 'num_requested' | 'unresolved'> {
  if (line_item === undefined || line_item === null) return { item: undefined, unresolved: [] }
  const { num_requested, ...item } = line_item
  return { item: item satisfies LineItem, num_requested, unresolved: [] }
}

/**
 * Returns the current prices, by product, of the products and weeks that the lines name, limited to open windows. Includes the card of
 * the order's agreement if that is in force.
 */
async function pricesOf(
  db: Database,
  { request, facts }: OrderState,
  { agreements }: Intake,
  drafts: readonly DraftLine[],
): Promise<Map<string, CardPrice[]>> {
  const { seller, agreement_id } = request
  const agreementId = agreements.some((agreement) => agreement.agreement_id === agreement_id) ? agreement_id : undefined
  const weeksOf = new Map<string, Set<string>>()
  for (const { product, period } of drafts) {
    if (product === undefined || period === undefined) continue
    const weeks = weeksOf.get(product.product_id) ?? new Set()
    for (const week of weeksOfPeriod(period.grain, period.start)) weeks.add(week)
    weeksOf.set(product.product_id, weeks)
  }
  const now = new Date().toISOString()
  const prices = new Map<string, CardPrice[]>()
  for (const [productId, named] of weeksOf) {
    const weeks = [...named]
    const card = await readCurrentCard(db, {
      seller,
      buyer: facts.buyer_entity,
      agreementId,
      productIds: [productId],
      weeks: { from: weeks, to: weeks },
    })
    prices.set(
      productId,
      card.filter((price) => isOpenAt(price, now)),
    )
  }
  return prices
}
