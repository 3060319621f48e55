/** Adds an amount to the sum of a key; counts by one without an amount. */
export function addUp<Key>(sums: Map<Key, number>, key: Key, amount = 1): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
