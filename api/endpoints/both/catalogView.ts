import type { Product } from '../../../src/contract/product.ts'
import { BUY_TYPES, MARKET_CLASSES } from '../../../src/contract/vocabulary.ts'
import { byProduct } from '../../../src/domain/publish/byProduct.ts'
import { type PricedValue, unpricedOf } from '../../../src/domain/publish/unpriced.ts'
import type { CatalogHead } from '../../../src/store/catalog/catalog.ts'
import { jsonInTurns } from '../../http/jsonInTurns.ts'

/** Some products of a catalog, with those of their prices that the reader may see. */
export interface CatalogPart {
  readonly products: readonly Product[]
  readonly priced: readonly PricedValue[]
}

/** Yields a catalog as JSON text (choices, Catalog read), over the products that its reader may see, each with its unpriced[]. */
export async function* catalogText(
  { seller, taxonomy_version, rate_version }: CatalogHead,
  parts: AsyncIterable<CatalogPart>,
): AsyncGenerator<string> {
  const buyTypes = new Set<string>()
  const classes = new Set<string>()
  let before = `${JSON.stringify({ seller, taxonomy_version, rate_version }).slice(0, -1)},"products":[`
  for await (const { products, priced } of parts) {
    if (products.length === 0) continue
    const ofProduct = byProduct(priced)
    const shown = products.map((product) => {
      const values = ofProduct.get(product.product_id) ?? []
      for (const buyType of product.buy_types) buyTypes.add(buyType)
      for (const { member, value } of values) if (member === 'market_class') classes.add(value)
      return { ...product, unpriced: unpricedOf(product, values) }
    })
    yield before + (await jsonInTurns(shown))
    before = ','
  }
  const end = {
    buy_types: BUY_TYPES.filter((buyType) => buyTypes.has(buyType)),
    rate_classes: MARKET_CLASSES.filter((marketClass) => classes.has(marketClass)),
  }
  yield `${before === ',' ? '' : before}],${JSON.stringify(end).slice(1)}`
}
