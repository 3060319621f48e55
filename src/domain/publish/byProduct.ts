import { addTo } from '../addTo.ts'

/** Groups items by product_id and keeps their order. */
export function byProduct<T extends { readonly product_id: string }>(items: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) addTo(groups, item.product_id, item)
  return groups
}
