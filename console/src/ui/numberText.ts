/** The number that a text is, or NaN. A comma is read as one between thousands only: 5000,50 is not a number. */
export function numberOf(text: string): number {
  const plain = text.trim()
  return plain === '' ? Number.NaN : Number(/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain)
}

/** The number that a text is; a text that is none is sent as it is, so that the API says what is wrong. */
export function numberOrText(text: string): number | string {
  const value = numberOf(text)
  return Number.isFinite(value) ? value : text
}
