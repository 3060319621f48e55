/**
 * Returns an amount as a decimal text, exactly as it was sent: `1250.5` as "1250.50" for two decimals. The marketplace has at most 15
 * significant digits, which a number keeps; sums of several can lose some, so add texts with a decimal library. Fails if the amount is
 * finer than `decimals`.
 */
export function moneyText(amount: number, decimals = 0): string {
  const [digits = '0', exponent = '0'] = amount.toExponential().split('e')
  const places = Math.max((digits.split('.')[1] ?? '').length - Number(exponent), 0)
  if (decimals > 0 && places > decimals) throw new RangeError(`${amount} has more than ${decimals} decimals`)
  return amount.toFixed(Math.max(places, decimals))
}
