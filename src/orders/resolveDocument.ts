import type { Resolution } from '../contract/confirmOrder.ts'
import type { DocumentLine } from '../contract/documentParse.ts'
import type { LineItem } from '../contract/lineItem.ts'
import { overridesOf } from '../domain/agreement/disclosure.ts'
import { visibleProducts } from '../domain/agreement/visibleProducts.ts'
import { weeksOfPeriod } from '../domain/calendar.ts'
import { checkLines, type PricedLine, type ResolvedLine } from '../domain/document/checkLines.ts'
import { citePrice } from '../domain/document/citePrices.ts'
import { type DraftLine, draftLines } from '../domain/document/draftLines.ts'
import type { ReadLine } from '../domain/document/readDocument.ts'
import { isOpenAt } from '../domain/lines/pricing.ts'
import { type Intake, lineTermsOf } from '../domain/order/checkOrder.ts'
import type { OrderState } from '../domain/order/state.ts'
import type { CardPrice } from '../domain/publish/availRate.ts'
import { readProductsFor } from '../store/catalog.ts'
import type { Database } from '../store/database.ts'
import { newId } from '../store/newId.ts'
import { readIntake } from '../store/orderFacts.ts'
import { readCurrentCard } from '../store/rateCards.ts'

/** A line as it was read, and as it stood after an earlier look, if there was one. */
export type LineToResolve = { readonly line: number; readonly read: ReadLine } & Partial<Pick<DocumentLine, 'line_item'>>

/**
 * Holds the lines of a document against what its seller publishes now. A line that had its price before keeps it, unless the buyer says
 * otherwise of it: a price locks when it is first cited.
 */
export async function resolveDocument(
  db: Database,
  order: OrderState,
  lines: readonly LineToResolve[],
  resolutions: readonly Resolution[] = [],
): Promise<ResolvedLine[]> {
  const { request, facts } = order
  const { seller, rate_version, agreement_id, flight } = request
  const ask = { seller, rate_version, agreement_id, flight }
  const world = await readIntake(db, ask, facts.buyer_entity)
  const isOpen = ({ line, line_item }: LineToResolve) => (line_item ?? null) === null || resolutions.some((of) => of.line === line)
  const visible = visibleProducts(await readProductsFor(db, seller, facts.buyer_entity), world.agreements)
  const drafts = draftLines(lines.filter(isOpen), visible, resolutions)
  const prices = await pricesOf(db, order, world, drafts)
  const terms = { prices, overrides: overridesOf(world.agreements, agreement_id), currency: facts.currency }
  const cited = new Map(drafts.map((draft) => [draft.line, citePrice(draft, terms)]))
  const priced = lines.map(({ line, read, line_item }): PricedLine => {
    const { item, num_requested, unresolved } = cited.get(line) ?? standingItem(line_item)
    return { line, read, item, num_requested, unresolved }
  })
  const items = priced.flatMap(({ item }) => item ?? [])
  const intake = await readIntake(db, { ...ask, line_items: items }, facts.buyer_entity)
  return checkLines(
    priced,
    lineTermsOf({ ...ask, line_items: items }, intake),
    priced.map(() => newId('unit_')),
  )
}

function standingItem(line_item: DocumentLine['line_item'] | undefined): Pick<PricedLine, 'item' | 'num_requested' | 'unresolved'> {
  if (line_item === undefined || line_item === null) return { item: undefined, unresolved: [] }
  const { num_requested, ...item } = line_item
  return { item: item satisfies LineItem, num_requested, unresolved: [] }
}

/** The current prices of the products that the lines name, in the weeks that they touch, as far as their windows are open. An agreement's card is presented with it. */
async function pricesOf(
  db: Database,
  { request, facts }: OrderState,
  { agreements }: Intake,
  drafts: readonly DraftLine[],
): Promise<CardPrice[]> {
  const { seller, agreement_id } = request
  const agreementId = agreements.some((agreement) => agreement.agreement_id === agreement_id) ? agreement_id : undefined
  const weeksOf = new Map<string, Set<string>>()
  for (const { product, period } of drafts) {
    if (product === undefined || period === undefined) continue
    const weeks = weeksOf.get(product.product_id) ?? new Set()
    for (const week of weeksOfPeriod(period.grain, period.start)) weeks.add(week)
    weeksOf.set(product.product_id, weeks)
  }
  const prices: CardPrice[] = []
  for (const [productId, named] of weeksOf) {
    const weeks = [...named]
    prices.push(
      ...(await readCurrentCard(db, { seller, buyer: facts.buyer_entity, agreementId, productId, weeks: { from: weeks, to: weeks } })),
    )
  }
  const now = new Date().toISOString()
  return prices.filter((price) => isOpenAt(price, now))
}
