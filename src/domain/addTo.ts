/** Adds a value to the list of a key. */
export function addTo<Key, T>(lists: Map<Key, T[]>, key: Key, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
