import type { Product } from '../../contract/product.ts'
import type { IsoDate } from '../calendar.ts'

/** The members of a product that decide whether it accepts orders. */
export type Offered = Pick<Product, 'product_id' | 'status' | 'effective'>

/** Returns why a product takes no new orders on a date (UTC), as one sentence; undefined while it takes them. */
export function notOnSale({ product_id, status, effective }: Offered, today: IsoDate): string | undefined {
  if (status === 'withdrawn') return `${product_id} is withdrawn and accepts no new orders.`
  if (effective !== undefined && effective.end < today) return `${product_id} was sold until ${effective.end} and accepts no new orders.`
  return undefined
}
