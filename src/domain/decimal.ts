import Big from 'big.js'
import { decimalPlaces } from '../contract/vocabulary/minorUnits.ts'

/** Exact decimals for money, percentages and impressions. This is the only module that uses big.js. */
const Exact = Big()
Exact.strict = true
Exact.RM = 1 // half away from zero, which is "half up" for non-negative figures
Exact.DP = 20

export type Decimal = Big
/** A number from JSON or Postgres. A JSON number converts through its shortest decimal text, which is what the sender wrote (at most 15 digits). */
export type DecimalLike = Big | string | number

export function decimal(value: DecimalLike): Decimal {
  if (value instanceof Exact) return value // never changed by anything
  return new Exact(typeof value === 'number' ? String(value) : value)
}

export function sum(values: Iterable<DecimalLike>): Decimal {
  let total = decimal(0)
  for (const value of values) total = total.plus(decimal(value))
  return total
}

/** Rounds to the minor unit of a currency, half up; applied once per line (choices, Line amount). */
export function money(value: DecimalLike, currency: string): Decimal {
  return decimal(value).round(decimalPlaces(currency), 1)
}

/** Returns the minor unit of a currency as an amount: 0.01 for USD, 1 for JPY. */
export function minorUnit(currency: string): Decimal {
  return decimal(1).div(decimal(10 ** decimalPlaces(currency)))
}

export function sameAmount(a: DecimalLike, b: DecimalLike): boolean {
  return decimal(a).eq(decimal(b))
}

/** Returns true for a figure of at most 15 significant digits, which a JSON number carries exactly. */
export function isExact(value: DecimalLike): boolean {
  return decimal(value).c.length <= 15
}

/** Converts to a JSON number; exact up to 15 significant digits. */
export function jsonNumber(value: DecimalLike): number {
  return Number(decimal(value).toString())
}
