/** Joins parts into a key. No text that the platform accepts contains U+0000. */
export function keyOf(...parts: readonly (string | number | undefined)[]): string {
  let key = ''
  for (const part of parts) key += part === undefined ? '\u0000' : `\u0000${part}`
  return key
}

/** Adds a value to the list of a key. */
export function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
