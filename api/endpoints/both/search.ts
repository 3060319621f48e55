import type { FoundOrder, FoundProduct, SearchQuery, SearchReply } from '../../../src/contract/search.ts'
import type { Side } from '../../../src/contract/vocabulary/access.ts'
import { FOUND_OF_EACH } from '../../../src/contract/vocabulary/bounds.ts'
import { isVisibleUnder, type Unlocks } from '../../../src/domain/agreement/visibleProducts.ts'
import { productTitle } from '../../../src/domain/lines/productTitle.ts'
import { bestOf, wordsOf } from '../../../src/domain/search/rank.ts'
import {
  type OrderTexts,
  type Sought,
  type SoughtProduct,
  searchOrders,
  searchParties,
  searchProducts,
} from '../../../src/store/search/search.ts'
import { listAgreements } from '../../../src/store/tenants/agreements.ts'
import type { Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'

/** Finds what the caller has under some words. */
export const getSearch: Handler<undefined, SearchQuery> = async (deps, { caller, query }) => {
  const sought = { entity: caller.entity, q: query.q, words: wordsOf(query.q) }
  return ok(await deps.pages.inTurn(caller.entity, () => search(deps, caller, sought)))
}

async function search(deps: Deps, { side, scopes }: Caller, sought: Sought): Promise<SearchReply> {
  const { words } = sought
  const { found, complete } = await searchOrders(deps.db, side, sought)
  const seesCatalogs = scopes.has('catalog:read')
  const products = seesCatalogs ? await seenProducts(deps, side, sought) : []
  const known = seesCatalogs ? await searchParties(deps.db, side, sought) : []
  const parties = known.map(({ entity, name }) => ({ entity, ...(name === null ? {} : { name }) }))
  return {
    orders: bestOf(found.map(readOrder), words, textsOfOrder, FOUND_OF_EACH).map(({ thing, match }) => shownOrder(thing, match.text)),
    products: bestOf(products, words, textsOfProduct, FOUND_OF_EACH).map(({ thing }) => shownProduct(thing)),
    parties: bestOf(parties, words, ({ entity, name }) => [name, entity], FOUND_OF_EACH).map(({ thing }) => thing),
    complete,
  }
}

type ReadOrder = Omit<FoundOrder, 'matched'> & {
  readonly buyer_metadata: { readonly advertiser_id: string; readonly campaign_id?: string }
  /** The names that its first lines have. */
  readonly names: readonly string[]
}

/** The members of lines by which people know them, which may end in the middle of one. */
const LINE_NAME = /"(product_title|product_id|network)":("(?:[^"\\]|\\.)*")/g

/** Returns an order with the names that its first lines have: titles first, since of two equal matches the first is shown. */
function readOrder({ head, lines }: OrderTexts): ReadOrder {
  const stated = [...lines.matchAll(LINE_NAME)].map(([, member, text]) => ({ member, name: JSON.parse(text as string) as string }))
  const names = ['product_title', 'product_id', 'network'].flatMap((of) =>
    stated.filter(({ member }) => member === of).map(({ name }) => name),
  )
  return { ...(JSON.parse(`${head}}`) as Omit<ReadOrder, 'names'>), names: [...new Set(names)] }
}

function textsOfOrder(order: ReadOrder): (string | undefined)[] {
  const { external_order_id, order_id, seller, seller_name, buyer_entity, buyer_name, buyer_metadata, names } = order
  const { advertiser_id, campaign_id } = buyer_metadata
  return [external_order_id, order_id, ...names, buyer_name, seller_name, advertiser_id, campaign_id, buyer_entity, seller]
}

function shownOrder({ order_id, external_order_id, seller, seller_name, buyer_entity, buyer_name, status }: ReadOrder, matched: string) {
  return {
    ...{ order_id, external_order_id, seller, buyer_entity, status, matched },
    ...(seller_name === undefined ? {} : { seller_name }),
    ...(buyer_name === undefined ? {} : { buyer_name }),
  }
}

/** Returns the products that may have the words and that the caller sees. */
async function seenProducts({ db }: Deps, side: Side, sought: Sought): Promise<SoughtProduct[]> {
  const today = new Date().toISOString().slice(0, 10)
  const products = await searchProducts(db, side, sought, today)
  if (side === 'seller') return products
  const agreements = await listAgreements(db, { buyer_entity: sought.entity, inForceOn: today, limit: AGREEMENTS_READ })
  const unlocks = new Map<string, Unlocks[]>()
  for (const agreement of agreements) unlocks.set(agreement.seller, [...(unlocks.get(agreement.seller) ?? []), agreement])
  return products.filter(({ seller, body }) => isVisibleUnder(unlocks.get(seller) ?? [])(body))
}

const AGREEMENTS_READ = 1_000

function textsOfProduct({ body }: SoughtProduct): (string | undefined)[] {
  return [productTitle(body), body.name, body.product_id, body.network, ...(body.reporting_dayparts ?? [])]
}

function shownProduct({ seller, body }: SoughtProduct): FoundProduct {
  const product_title = productTitle(body)
  return { seller, product_id: body.product_id, ...(product_title === undefined ? {} : { product_title }), network: body.network }
}
