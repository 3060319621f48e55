import type { Agreement, BuyerAgreement, Credit, CreditQuery, Pacing } from '../../src/contract/agreement.ts'
import type { ListQuery } from '../../src/contract/publishedReads.ts'
import { availableCredit, statedGross } from '../../src/domain/agreement/settlement.ts'
import { visibleProducts } from '../../src/domain/agreement/visibleProducts.ts'
import { decimal, jsonNumber } from '../../src/domain/decimal.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { findProductsFor } from '../../src/store/catalog/catalog.ts'
import { invoicedGross } from '../../src/store/settlement/invoiceReads.ts'
import { bookedGross, findAgreement, listAgreements } from '../../src/store/tenants/agreements.ts'
import { readExposure } from '../../src/store/tenants/credit.ts'
import { type Deps, type Handler, ok } from '../handler.ts'
import { type Page, pageOf, positionOf } from '../page.ts'
import { relationOf } from './relation.ts'

/** GET /agreements: the buyer's agreements in force and what they unlock (spec, Buyer: settlement). */
export const getAgreements: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['agreements', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const inForceOn = new Date().toISOString().slice(0, 10)
  const rows = await listAgreements(deps.db, { buyer_entity: caller.entity, inForceOn, after, limit: page.limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, rows, ({ agreement_id }) => [agreement_id])
  return ok({ items: await Promise.all(items.map((agreement) => buyerView(deps, agreement))), next_cursor })
}

/** Without the seller's own reference, and without overrides of products that are out of this buyer's sight: what is hidden is not named. */
async function buyerView(deps: Deps, { external_ref: _, ...agreement }: Agreement): Promise<BuyerAgreement> {
  const { seller, buyer_entity, disclosure_overrides, posting_policy_overrides } = agreement
  const named = [...(disclosure_overrides ?? []), ...(posting_policy_overrides ?? [])].map(({ product_id }) => product_id)
  if (named.every((product_id) => product_id === ALL)) return agreement
  const { agreements } = await relationOf(deps.db, seller, buyer_entity)
  const products = await findProductsFor(deps.db, seller, buyer_entity, named)
  const told = new Set([ALL, ...visibleProducts(products, agreements).map(({ product_id }) => product_id)])
  const seen = ({ product_id }: { product_id: string }) => told.has(product_id)
  return {
    ...agreement,
    ...(disclosure_overrides && { disclosure_overrides: disclosure_overrides.filter(seen) }),
    ...(posting_policy_overrides && { posting_policy_overrides: posting_policy_overrides.filter(seen) }),
  }
}

/** Names all products in an override. */
const ALL = '*'

/** GET /agreements/{id}/pacing: `remaining` is committed minus booked, derived; null where nothing is committed. */
export const getPacing: Handler = async ({ db }, { caller, params }) => {
  const agreement = await findAgreement(db, params.agreement_id ?? '')
  if (agreement?.buyer_entity !== caller.entity) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  const { agreement_id, currency, commitment_gross } = agreement
  const [booked, invoiced] = await Promise.all([bookedGross(db, agreement_id), invoicedGross(db, agreement_id)])
  const reply: Pacing = {
    agreement_id,
    currency,
    commitment_gross: commitment_gross ?? null,
    booked_gross: statedGross(agreement_id, booked),
    remaining: commitment_gross === undefined ? null : jsonNumber(decimal(commitment_gross).minus(booked)),
    invoiced_gross: statedGross(agreement_id, invoiced),
    as_of: new Date().toISOString(),
  }
  return ok(reply)
}

/** GET /settlement/credit?agreement= */
export const getCredit: Handler<undefined, CreditQuery> = async ({ db }, { caller, query }) => {
  const agreement = await findAgreement(db, query.agreement)
  if (agreement?.buyer_entity !== caller.entity) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  const { agreement_id, currency, credit_limit } = agreement
  const exposure = await readExposure(db.pool, agreement_id)
  const reply: Credit = {
    agreement_id,
    currency,
    credit_limit: credit_limit ?? null,
    exposure: statedGross(agreement_id, exposure),
    available: credit_limit === undefined ? null : jsonNumber(availableCredit(credit_limit, exposure)),
    as_of: new Date().toISOString(),
  }
  return ok(reply)
}
