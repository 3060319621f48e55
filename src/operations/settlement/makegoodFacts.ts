import type { Agreement } from '../../contract/agreement.ts'
import type { OfferMakegood, SpotUnits } from '../../contract/makegood.ts'
import { visibleProducts } from '../../domain/agreement/visibleProducts.ts'
import { isDate, weekOf } from '../../domain/calendar.ts'
import type { MakegoodFacts } from '../../domain/makegood/makegoodFacts.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { findProductsFor } from '../../store/catalog/catalog.ts'
import { readPricedWeeks } from '../../store/catalog/pricedWeeks.ts'
import type { Database, Tx } from '../../store/connection/database.ts'
import { type OrderMakegoods, readReconciledDates } from '../../store/makegoods/changeMakegoods.ts'
import { findAgreement } from '../../store/tenants/agreements.ts'
import { agreementsBetween } from '../../store/tenants/agreementsBetween.ts'

/** What is sold to the buyer of an order of what offers name. */
export type Sold = Pick<MakegoodFacts, 'products' | 'priced'>

export const NOTHING_SOLD: Sold = { products: [], priced: [] }

/** Reads what is sold of the products and weeks of offers to the buyer of an order. */
export async function readSold(db: Database, { request, facts }: OrderState, offers: readonly OfferMakegood[]): Promise<Sold> {
  if (offers.length === 0) return NOTHING_SOLD
  const [seller, buyer, today] = [request.seller, facts.buyer_entity, new Date().toISOString().slice(0, 10)]
  const productIds = [...new Set(offers.map(({ product_id }) => product_id))]
  const weeks = [...new Set(offers.flatMap(({ date }) => (isDate(date) ? [weekOf(date)] : [])))]
  const [found, agreements] = await Promise.all([
    findProductsFor(db, seller, buyer, productIds),
    agreementsBetween(db, buyer, seller, today),
  ])
  const agreementIds = agreements.map(({ agreement_id }) => agreement_id)
  const priced = await readPricedWeeks(db, { seller, buyer, agreementIds, productIds, weeks })
  const products = visibleProducts(found, agreements).filter(({ status }) => status !== 'withdrawn')
  return { products, priced }
}

/** Returns the agreement of an order as it is now; the guidelines of one that has ended accept nothing. */
export async function readTerms(db: Database, { request }: OrderState): Promise<MakegoodFacts['agreement']> {
  const agreement: Agreement | undefined = request.agreement_id === undefined ? undefined : await findAgreement(db, request.agreement_id)
  if (agreement === undefined || agreement.status === 'active') return agreement
  const { makegood_guidelines: _, ...rest } = agreement
  return rest
}

/** Returns what a makegood of an order is decided against. The caller holds the order's lock. */
export async function factsOf(
  tx: Tx,
  order: OrderState,
  { now, makegoods }: OrderMakegoods,
  about: { readonly missed: readonly SpotUnits[]; readonly makegood_id?: string },
  more: Sold & Pick<MakegoodFacts, 'agreement'>,
): Promise<MakegoodFacts> {
  const known = await readReconciledDates(tx, order.facts.order_id, about.missed)
  const networks = new Map(order.lines.map(({ unit_id, network }) => [unit_id, network]))
  return {
    ...{ order, now, ...more },
    others: makegoods.filter(({ makegood_id }) => makegood_id !== about.makegood_id),
    reconciled: known.filter(({ unit_id, network }) => networks.get(unit_id) === network),
  }
}
