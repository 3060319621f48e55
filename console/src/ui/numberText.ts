/** Reads a number, or returns NaN. Commas may only separate thousands, so 5000,50 is not a number. */
export function numberOf(text: string): number {
  const plain = text.trim()
  return plain === '' ? Number.NaN : Number(/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain)
}

/** Reads a number; any other text is sent unchanged, so that the API says what is wrong. */
export function numberOrText(text: string): number | string {
  const value = numberOf(text)
  return Number.isFinite(value) ? value : text
}
