import type { PlanOrder } from '../../contract/planOrder.ts'
import { visibleCatalog } from '../../domain/order/checkOrder.ts'
import type { OrderState } from '../../domain/order/state.ts'
import type { PlanTerms } from '../../domain/proposal/planLines.ts'
import { isInForce } from '../catalog/unpublished.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { readIntake } from './orderFacts.ts'

/** Reads what a plan for a proposal is checked against: the part of the market that the plan names, as the order's buyer sees it. */
export async function readPlanTerms(db: Pick<Database, 'pool'>, { request, facts }: OrderState, plan: PlanOrder): Promise<PlanTerms> {
  const line_items = plan.line_items.map(({ product_id, product, period, rate }) => ({
    product_id: product_id ?? product?.mirror_product_id,
    period,
    rate,
  }))
  const [intake, { rows }] = await Promise.all([
    readIntake(db, { seller: request.seller, agreement_id: request.agreement_id, line_items }, facts.buyer_entity),
    db.pool.query<{ minted: string[]; taken_refs: Record<string, string> }>(
      FURTHER.bind({
        seller: request.seller,
        product_ids: line_items.flatMap(({ product_id }) => product_id ?? []),
        external_refs: plan.line_items.flatMap(({ product }) => product?.external_ref ?? []),
      }),
    ),
  ])
  const { minted = [], taken_refs = {} } = rows[0] ?? {}
  return {
    ...visibleCatalog(request, intake),
    seller: request.seller,
    buyer_entity: facts.buyer_entity,
    currency: facts.currency,
    minted: new Set(minted),
    taken_refs: new Map(Object.entries(taken_refs)),
  }
}

/** Reads which of the products were minted, and which products already have the references, in one row. */
const FURTHER = statement(
  'read-plan-terms',
  ['seller', 'product_ids', 'external_refs'],
  `select
    (select coalesce(json_agg(product_id), '[]') from products p
      where seller = :seller and ${isInForce('p', ':seller')} and product_id = any(:product_ids::text[]) and minted_for is not null) as minted,
    (select coalesce(json_object_agg(external_ref, product_id), '{}') from products p
      where seller = :seller and ${isInForce('p', ':seller')} and external_ref = any(:external_refs::text[])) as taken_refs`,
)
