import type { Product } from '../../contract/product.ts'

/** Returns the title under which people know a product: the one that it is sold under, or else its name in the catalog. */
export function productTitle(product: Product): string | undefined {
  return soldTitle(product) ?? product.name
}

/** Returns the title that a product is sold under; undefined if it has none. */
export function soldTitle(product: Product): string | undefined {
  return product.type === 'program' ? product.definition.title : product.definition.selling_title
}
