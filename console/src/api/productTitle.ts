import type { CatalogProduct } from './queries/sellers.ts'

/** Returns the title under which people know a product: the one that it is sold under, or else its name in the catalog. */
export function productTitle(product: CatalogProduct | undefined): string | undefined {
  const sold = product?.definition as { title?: string; selling_title?: string } | undefined
  return sold?.title ?? sold?.selling_title ?? (product?.name as string | undefined)
}
