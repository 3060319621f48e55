import type { CatalogRead, Product } from '../src/contract/product.ts'
import { BUY_TYPES, MARKET_CLASSES } from '../src/contract/vocabulary.ts'
import { byProduct } from '../src/domain/publish/byProduct.ts'
import { type PricedValue, unpricedOf } from '../src/domain/publish/unpriced.ts'
import type { CatalogHead } from '../src/store/catalog.ts'

/** A catalog as read (choices, Catalog read), over the products and the prices that its reader may see: each product with its unpriced[]. */
export function catalogView(head: CatalogHead, products: readonly Product[], priced: readonly PricedValue[]): CatalogRead {
  const ofProduct = byProduct(priced)
  const seen = products.flatMap(({ product_id }) => ofProduct.get(product_id) ?? [])
  const classes = new Set(seen.flatMap(({ member, value }) => (member === 'market_class' ? [value] : [])))
  const buyTypes = new Set(products.flatMap(({ buy_types }) => buy_types))
  return {
    seller: head.seller,
    taxonomy_version: head.taxonomy_version,
    rate_version: head.rate_version,
    products: products.map((product) => ({ ...product, unpriced: unpricedOf(product, ofProduct.get(product.product_id) ?? []) })),
    buy_types: BUY_TYPES.filter((buyType) => buyTypes.has(buyType)),
    rate_classes: MARKET_CLASSES.filter((marketClass) => classes.has(marketClass)),
  }
}
