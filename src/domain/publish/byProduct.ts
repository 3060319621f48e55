/** Groups items by product_id and keeps their order. */
export function byProduct<T extends { readonly product_id: string }>(items: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(item.product_id)
    if (group === undefined) groups.set(item.product_id, [item])
    else group.push(item)
  }
  return groups
}
