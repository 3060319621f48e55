import type { Agreement, BuyerAgreement } from '../../../src/contract/agreement.ts'
import type { ListQuery } from '../../../src/contract/publishedReads.ts'
import { visibleProducts } from '../../../src/domain/agreement/visibleProducts.ts'
import { findProductsFor } from '../../../src/store/catalog/catalog.ts'
import { listAgreements } from '../../../src/store/tenants/agreements.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { relationOf } from './relation.ts'

/** GET /agreements: the buyer's agreements in force and what they unlock (contract, Agreement). */
export const getAgreements: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['agreements', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const inForceOn = new Date().toISOString().slice(0, 10)
  const rows = await listAgreements(deps.db, { buyer_entity: caller.entity, inForceOn, after, limit: page.limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, rows, ({ agreement_id }) => [agreement_id])
  return ok({ items: await Promise.all(items.map((agreement) => buyerView(deps, agreement))), next_cursor })
}

/** Omits the seller's own reference, and overrides of products hidden from this buyer, so that hidden products are not named. */
async function buyerView(deps: Deps, { external_ref: _, ...agreement }: Agreement): Promise<BuyerAgreement> {
  const { seller, buyer_entity, disclosure_overrides, posting_policy_overrides } = agreement
  const named = [...(disclosure_overrides ?? []), ...(posting_policy_overrides ?? [])].map(({ product_id }) => product_id)
  if (named.every((product_id) => product_id === ALL)) return agreement
  const { agreements } = await relationOf(deps.db, seller, buyer_entity)
  const products = await findProductsFor(deps.db, seller, buyer_entity, named)
  const visible = new Set([ALL, ...visibleProducts(products, agreements).map(({ product_id }) => product_id)])
  const seen = ({ product_id }: { product_id: string }) => visible.has(product_id)
  return {
    ...agreement,
    ...(disclosure_overrides && { disclosure_overrides: disclosure_overrides.filter(seen) }),
    ...(posting_policy_overrides && { posting_policy_overrides: posting_policy_overrides.filter(seen) }),
  }
}

/** Stands for all products in an override. */
const ALL = '*'
