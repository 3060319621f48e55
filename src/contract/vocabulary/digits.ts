/** Returns the number rounded to the significant digits that every double keeps. */
export function toFifteenDigits(value: number): number {
  return Number(value.toPrecision(15))
}
