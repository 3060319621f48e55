import { type CatalogReply, Product, type PutCatalog } from '../contract/product.ts'
import { stageCatalog } from '../domain/publish/stageCatalog.ts'
import { saveProducts, standingProducts } from '../store/catalog.ts'
import type { Database } from '../store/database.ts'
import { markUsesApi, withPublishLock } from '../store/publishLock.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

/**
 * Publishes products, each on its own, under one taxonomy version; they merge into the catalog by product_id (spec, One write model).
 * Refuses whole: DUPLICATE_EXTERNAL_REF 422. The version moves when anything was accepted.
 */
export async function publishCatalog(db: Database, seller: string, put: PutCatalog, surface: Surface): Promise<CatalogReply> {
  const { parsed, errors } = await parseEntries(Product, put.products)
  return withPublishLock(db, seller, async (tx, held) => {
    const staged = stageCatalog(await standingProducts(tx, seller), parsed)
    const products = staged.accepted.map(({ value }) => value)
    if (products.length > 0) await saveProducts(tx, seller, put.taxonomy_version, products)
    if (surface === 'api') await markUsesApi(tx, held)
    return { taxonomy_version: put.taxonomy_version, ...outcomeOf(put.products, errors, staged) }
  })
}
