import type { Product } from '../../contract/product.ts'
import { termsOf } from '../../domain/publish/productTerms.ts'
import { findTerms, type KnownTerms } from '../../store/catalog/productTerms.ts'
import type { Publishing } from '../../store/catalog/publishLock.ts'

/** Returns the named products by id, as the catalog has them, or as `staged` will once it is committed with the publish or before it. */
export async function namedProducts(
  { sql, seller }: Publishing,
  productIds: Iterable<string>,
  staged: readonly Product[] = [],
): Promise<Map<string, KnownTerms>> {
  const ids = new Set(productIds)
  const products = await findTerms(sql, seller, ids)
  for (const product of staged) {
    if (!ids.has(product.product_id)) continue
    const minted_for = products.get(product.product_id)?.minted_for
    products.set(product.product_id, { ...termsOf(product), ...(minted_for !== undefined && { minted_for }) })
  }
  return products
}
