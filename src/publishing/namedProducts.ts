import type { Product } from '../contract/product.ts'
import { type CatalogProduct, findProducts } from '../store/catalog/catalog.ts'
import type { Publishing } from '../store/catalog/publishLock.ts'

/** Returns the named products by id, as the catalog has them, or as `staged` will once it is committed with the publish or before it. */
export async function namedProducts(
  { sql, seller }: Publishing,
  productIds: Iterable<string>,
  staged: readonly Product[] = [],
): Promise<Map<string, CatalogProduct>> {
  const ids = new Set(productIds)
  const products = await findProducts(sql, seller, ids)
  for (const product of staged) {
    if (!ids.has(product.product_id)) continue
    const minted_for = products.get(product.product_id)?.minted_for
    products.set(product.product_id, minted_for === undefined ? product : { ...product, minted_for })
  }
  return products
}
