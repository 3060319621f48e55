import type { CatalogQuery } from '../../src/contract/availsQuery.ts'
import type { ListQuery } from '../../src/contract/publishedReads.ts'
import type { SellerList } from '../../src/contract/seller.ts'
import { GRAINS, WORKFLOWS } from '../../src/contract/vocabulary.ts'
import { disclosureFor } from '../../src/domain/agreement/disclosure.ts'
import { visibleProducts, withoutHiddenMirrors } from '../../src/domain/agreement/visibleProducts.ts'
import { conformanceLevel } from '../../src/domain/publish/conformanceLevel.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { readCatalogHead, readProductsFor } from '../../src/store/catalog.ts'
import { readPricedValues } from '../../src/store/pricedValues.ts'
import { type ListedSeller, listSellers } from '../../src/store/sellersList.ts'
import { inSnapshot } from '../../src/store/snapshot.ts'
import { catalogView } from '../catalogView.ts'
import { type Handler, ok } from '../handler.ts'
import { type Page, pageOf, positionOf } from '../page.ts'
import { relationOf } from './relation.ts'

/** What buyers discover of sellers, as far as each may see it. */

export const getSellers: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['sellers', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const { items, next_cursor } = pageOf(deps, page, await listSellers(deps.db, caller.entity, after, page.limit + 1), ({ seller }) => [
    seller,
  ])
  const reply: SellerList = { sellers: items.map(sellerView), next_cursor }
  return ok(reply)
}

export const getCatalog: Handler<undefined, CatalogQuery> = async (deps, { caller, params, query }) => {
  const seller = params.seller ?? ''
  const { head, agreements, overrides, all, priced } = await inSnapshot(deps.db, async (snapshot) => {
    const head = await readCatalogHead(snapshot, seller, query.agreement)
    if (head === undefined) throw noSuchSeller()
    const { agreements, presented, overrides } = await relationOf(snapshot, seller, caller.entity, query.agreement)
    const all = await readProductsFor(snapshot, seller, caller.entity)
    const priced = await readPricedValues(snapshot.sql, seller, { agreementIds: presented === undefined ? [] : [presented] })
    return { head, agreements, overrides, all, priced }
  })
  const products = withoutHiddenMirrors(visibleProducts(all, agreements)).map(({ external_ref: _, ...product }) => ({
    ...product,
    disclosure: disclosureFor(product, overrides),
  }))
  return ok(catalogView(head, products, priced))
}

function sellerView({ seller, name, profile, uses_api, has_products, grains }: ListedSeller): SellerList['sellers'][number] {
  return {
    seller,
    name,
    level: conformanceLevel({ has_products, uses_api, profile }),
    workflows: WORKFLOWS.filter((workflow) => profile.modes[workflow]),
    grains: GRAINS.filter((grain) => grains.includes(grain)),
    realtime_availability: profile.realtime_availability,
  }
}

export function noSuchSeller(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such seller.')
}
