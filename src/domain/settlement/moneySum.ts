import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber, minorUnit, money } from '../decimal.ts'
import { memoized } from '../memoized.ts'

const ZERO: Decimal = decimal(0)
/** The largest amount that is summed in minor units: such sums stay exact, however many amounts of the largest order are added. */
const MAX_UNITS = 1e10

/**
 * A sum of amounts of one currency. Whole minor units, which nearly all amounts are, are added as numbers: a tenth of the cost of exact
 * decimals.
 */
export class MoneySum {
  private readonly currency: string
  private readonly scale: Scale
  private units = 0
  private others: Decimal = ZERO

  constructor(currency: string) {
    this.currency = currency
    this.scale = scaleOf(currency)
  }

  add(amount: DecimalLike): void {
    const units = unitsIn(amount, this.scale)
    if (units === undefined) this.others = this.others.plus(decimal(amount))
    else this.units += units
  }

  /** Adds another sum of the same currency, rounded to its minor unit. */
  addRounded(sum: MoneySum): void {
    if (sum.others === ZERO) this.units += sum.units
    else this.others = this.others.plus(sum.rounded())
  }

  /** Returns the sum rounded to the minor unit, as a JSON number. */
  toNumber(): number {
    return this.others === ZERO ? this.units / this.scale.perMajor : jsonNumber(this.rounded())
  }

  /** Returns this sum minus another of the same currency, each rounded to the minor unit. */
  minus(other: MoneySum): number {
    if (this.others === ZERO && other.others === ZERO) return (this.units - other.units) / this.scale.perMajor
    return jsonNumber(this.rounded().minus(other.rounded()))
  }

  /** Returns the sum with all of its digits, as a JSON number. */
  toExactNumber(): number {
    return this.others === ZERO ? this.units / this.scale.perMajor : jsonNumber(this.exact())
  }

  private rounded(): Decimal {
    return money(this.exact(), this.currency)
  }

  private exact(): Decimal {
    return this.others.plus(decimal(this.units).times(this.scale.unit))
  }
}

/** Returns an amount in minor units of its currency; undefined if it is not a whole number of them, or is too large. */
export function minorUnitsOf(amount: DecimalLike, currency: string): number | undefined {
  return unitsIn(amount, scaleOf(currency))
}

interface Scale {
  readonly unit: Decimal
  readonly perMajor: number
  readonly unitsOf: (amount: string | number) => number | undefined
}

const scaleOf = memoized((currency: string): Scale => {
  const perMajor = 10 ** decimalPlaces(currency)
  const unitsOf = memoized((amount: string | number): number | undefined => {
    // The number nearest to a longer text may be a different amount.
    if (typeof amount === 'string' && amount.length > 15) return undefined
    const value = Number(amount)
    const units = Math.round(value * perMajor)
    return Math.abs(units) <= MAX_UNITS && units / perMajor === value ? units : undefined
  })
  return { unit: minorUnit(currency), perMajor, unitsOf }
})

function unitsIn(amount: DecimalLike, scale: Scale): number | undefined {
  return typeof amount === 'object' ? undefined : scale.unitsOf(amount)
}
