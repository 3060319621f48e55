import type { CatalogQuery } from '../../../src/contract/availsQuery.ts'
import type { ListQuery } from '../../../src/contract/publishedReads.ts'
import type { SellerList } from '../../../src/contract/seller.ts'
import { GRAINS, WORKFLOWS } from '../../../src/contract/vocabulary.ts'
import { disclosureFor } from '../../../src/domain/agreement/disclosure.ts'
import { isVisibleUnder, withoutHiddenMirrors } from '../../../src/domain/agreement/visibleProducts.ts'
import { conformanceLevel } from '../../../src/domain/discovery/conformanceLevel.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { readCatalogHead, readProductPagesFor } from '../../../src/store/catalog/catalog.ts'
import { readPricedValues } from '../../../src/store/catalog/pricedValues.ts'
import { readNamedFor } from '../../../src/store/catalog/productTerms.ts'
import { type ListedSeller, listSellers } from '../../../src/store/catalog/sellersList.ts'
import type { Reading } from '../../../src/store/connection/snapshot.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { wholeReads } from '../../http/wholeReads.ts'
import { type CatalogPart, catalogText } from '../both/catalogView.ts'
import { type Relation, relationOf } from './relation.ts'

/** Reads with which buyers discover sellers, limited to what each buyer may see. */

export const getSellers: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['sellers', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const { items, next_cursor } = pageOf(deps, page, await listSellers(deps.db, caller.entity, after, page.limit + 1), ({ seller }) => [
    seller,
  ])
  const reply: SellerList = { sellers: items.map(sellerView), next_cursor }
  return ok(reply)
}

const reads = wholeReads('catalogs')
/** The most products that are read and rendered per batch. */
const PRODUCTS = 200

export const getCatalog: Handler<undefined, CatalogQuery> = async (deps, { caller, params, query }) =>
  reads.answer(deps, caller.entity, (snapshot) => catalogFor(snapshot, params.seller ?? '', caller.entity, query))

async function* catalogFor(snapshot: Reading, seller: string, buyer: string, query: CatalogQuery): AsyncGenerator<string> {
  const head = await readCatalogHead(snapshot, seller, query.agreement)
  if (head === undefined) throw noSuchSeller()
  const relation = await relationOf(snapshot, seller, buyer, query.agreement)
  yield* catalogText(head, partsFor(snapshot, seller, buyer, relation))
}

async function* partsFor(
  snapshot: Reading,
  seller: string,
  buyer: string,
  { agreements, presented, overrides }: Relation,
): AsyncGenerator<CatalogPart> {
  const isVisible = isVisibleUnder(agreements)
  const agreementIds = presented === undefined ? [] : [presented]
  for await (const page of readProductPagesFor(snapshot, seller, buyer, PRODUCTS)) {
    const visible = page.filter(isVisible)
    const productIds = visible.map(({ product_id }) => product_id)
    const mirrors = visible.flatMap(({ mirror_product_id }) => mirror_product_id ?? [])
    const seen = mirrors.length === 0 ? [] : (await readNamedFor(snapshot, seller, buyer, mirrors)).filter(isVisible)
    const products = withoutHiddenMirrors(
      visible,
      seen.map(({ product_id }) => product_id),
    ).map(({ external_ref: _, ...product }) => ({ ...product, disclosure: disclosureFor(product, overrides) }))
    yield { products, priced: await readPricedValues(snapshot.sql, seller, { agreementIds, productIds }) }
  }
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
