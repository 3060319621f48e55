/** Returns random hexadecimal digits for keys and ids. `crypto.randomUUID` is missing on a page without a secure context. */
export function randomId(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)))
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.slice(0, digits)
}

/** Returns a default name with the current second: `drop-20261123-131500`. */
export function datedName(prefix: string, now: number): string {
  return `${prefix}-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`
}
