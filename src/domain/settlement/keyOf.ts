/** Joins parts into a key. No text that the platform accepts contains U+0000. */
export function keyOf(...parts: readonly (string | number | undefined)[]): string {
  let key = ''
  for (const part of parts) key += part === undefined ? '\u0000' : `\u0000${part}`
  return key
}
