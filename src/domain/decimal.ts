import Big from 'big.js'

/** Exact decimals: the one place that knows big.js. Money, percentages and impressions never touch floating point. */
const Exact = Big()
Exact.strict = true
Exact.RM = 1 // half away from zero: "half up" of the choices, for the non-negative figures of this product
Exact.DP = 20

export type Decimal = Big
/** A number as JSON or Postgres gives it. A JSON number goes through its shortest decimal text, which is what the sender wrote (15 digits at most are let in). */
export type DecimalLike = Big | string | number

export function decimal(value: DecimalLike): Decimal {
  return new Exact(typeof value === 'number' ? String(value) : value)
}

export function sum(values: Iterable<DecimalLike>): Decimal {
  let total = decimal(0)
  for (const value of values) total = total.plus(decimal(value))
  return total
}

/** Money rounds to two places, half up, once per line (choices, Line amount). */
export function money(value: DecimalLike): Decimal {
  return decimal(value).round(2, 1)
}

export function sameAmount(a: DecimalLike, b: DecimalLike): boolean {
  return decimal(a).eq(decimal(b))
}

/** Whether a figure has at most 15 significant digits, which a JSON number carries as they are. */
export function isExact(value: DecimalLike): boolean {
  return decimal(value).c.length <= 15
}

/** As a JSON number: exact for every figure of up to 15 significant digits. */
export function jsonNumber(value: DecimalLike): number {
  return Number(decimal(value).toString())
}
