import type { AvailsRead } from '../../src/contract/avail.ts'
import type { AvailsQuery, CatalogQuery } from '../../src/contract/availsQuery.ts'
import type { ListQuery } from '../../src/contract/publishedReads.ts'
import type { SellerList } from '../../src/contract/seller.ts'
import { GRAINS, WORKFLOWS } from '../../src/contract/vocabulary.ts'
import { disclosureFor } from '../../src/domain/agreement/disclosure.ts'
import { visibleProducts, withoutHiddenMirrors } from '../../src/domain/agreement/visibleProducts.ts'
import { weeksOfMonth } from '../../src/domain/calendar.ts'
import { isOverAt } from '../../src/domain/lines/pricing.ts'
import { composeAvails } from '../../src/domain/publish/composeAvails.ts'
import { conformanceLevel } from '../../src/domain/publish/conformanceLevel.ts'
import { type WeekRun, weekSelection } from '../../src/domain/publish/weekSelection.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { readAvails } from '../../src/store/avails.ts'
import { readDisclosed } from '../../src/store/availsRequests.ts'
import { readCatalogHead, readProductsFor } from '../../src/store/catalog.ts'
import { readPricedValues } from '../../src/store/pricedValues.ts'
import { readCurrentCard } from '../../src/store/rateCards.ts'
import { type ListedSeller, listSellers } from '../../src/store/sellersList.ts'
import { inSnapshot } from '../../src/store/snapshot.ts'
import { catalogView } from '../catalogView.ts'
import { type Handler, ok } from '../endpoint.ts'
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

export const getAvails: Handler<undefined, AvailsQuery> = async (deps, { caller, params, query }) => {
  const seller = params.seller ?? ''
  const { product_id: productId, spot_length: spotLength } = query
  const marketClass = marketClassOf(query)
  const weeks = query.weeks === undefined ? undefined : weekSelection(query.weeks)
  if ((await readCatalogHead(deps.db, seller)) === undefined) throw noSuchSeller()
  const { agreements, presented, overrides } = await relationOf(deps.db, seller, caller.entity, query.agreement)
  const all = await readProductsFor(deps.db, seller, caller.entity, productId)
  const products = visibleProducts(all, agreements).map((product) => ({
    product_id: product.product_id,
    disclosure: disclosureFor(product, overrides),
    effective: product.effective,
  }))
  const [avails, answered] = await Promise.all([
    readAvails(deps.db, seller, productId, weeks),
    readDisclosed(deps.db, seller, caller.entity, productId),
  ])
  const months = avails.flatMap(({ period }) => (period.grain === 'month' ? [period.start] : []))
  const card = await readCurrentCard(deps.db, {
    seller,
    buyer: caller.entity,
    agreementId: presented,
    productId,
    spotLength,
    marketClass,
    weeks: pricedWeeks(weeks, months),
  })
  const now = new Date().toISOString()
  const prices = card.filter((price) => !isOverAt(price, now))
  const ratesFiltered = spotLength !== undefined || marketClass !== undefined
  const reply: AvailsRead = { avails: composeAvails(products, { avails, prices, answered }, { weeks, ratesFiltered }) }
  return ok(reply)
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

/** `rate_class` is the deprecated name of market_class; both may be sent as long as they agree. */
function marketClassOf({ market_class, rate_class }: AvailsQuery): AvailsQuery['market_class'] {
  if (market_class !== undefined && rate_class !== undefined && market_class !== rate_class) {
    throw new Refusal('INVALID_INPUT', 'rate_class is the former name of market_class: the two must not differ.', { field: 'rate_class' })
  }
  return market_class ?? rate_class
}

/** A month's rates are those of every week it touches, asked for or not. */
function pricedWeeks(weeks: readonly WeekRun[] | undefined, months: readonly string[]): { from: string[]; to: string[] } | undefined {
  if (weeks === undefined) return undefined
  const touched = [...new Set(months)].map(weeksOfMonth)
  return {
    from: [...weeks.map(({ from }) => from), ...touched.flatMap((month) => month.slice(0, 1))],
    to: [...weeks.map(({ to }) => to), ...touched.flatMap((month) => month.slice(-1))],
  }
}

function noSuchSeller(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such seller.')
}
