/**
 * Returns the number of a seller's n-th invoice or credit note of a broadcast month as `YYMM-NNNNN`, the ten characters that the
 * industry's file has for it. After 99999 the first of the five digits becomes a letter (choices, Invoices: number).
 */
export function invoiceNumber(broadcastMonth: string, n: number): string {
  if (!Number.isInteger(n) || n < 1 || n > MAX) throw new RangeError(`a seller has at most ${MAX} invoices in a month, this is number ${n}`)
  const [year = '', month = ''] = broadcastMonth.split('-')
  return `${year.slice(-2)}${month}-${n < 100_000 ? String(n).padStart(5, '0') : lettered(n - 100_000)}`
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MAX = 99_999 + LETTERS.length * 10_000

function lettered(n: number): string {
  return `${LETTERS[Math.floor(n / 10_000)]}${String(n % 10_000).padStart(4, '0')}`
}
