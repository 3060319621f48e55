import { type Decimal, type DecimalLike, decimal, jsonNumber, money } from '../decimal.ts'
import { memoized } from '../memoized.ts'

const ZERO: Decimal = decimal(0)
/** The largest amount that is summed in cents: such sums stay exact, however many amounts of the largest order are added. */
const MOST_CENTS = 1e10
const CENT = decimal('0.01')

/** A sum of amounts. Whole cents, which nearly all amounts are, are added as numbers: a tenth of the cost of exact decimals. */
export class MoneySum {
  private cents = 0
  private others: Decimal = ZERO

  add(amount: DecimalLike): void {
    const cents = centsOf(amount)
    if (cents === undefined) this.others = this.others.plus(decimal(amount))
    else this.cents += cents
  }

  /** Adds another sum, rounded to the cent. */
  addRounded(sum: MoneySum): void {
    if (sum.others === ZERO) this.cents += sum.cents
    else this.others = this.others.plus(sum.rounded())
  }

  /** Returns the sum rounded to the cent, as a JSON number. */
  toNumber(): number {
    return this.others === ZERO ? this.cents / 100 : jsonNumber(this.rounded())
  }

  /** Returns this sum minus another, each rounded to the cent. */
  minus(other: MoneySum): number {
    if (this.others === ZERO && other.others === ZERO) return (this.cents - other.cents) / 100
    return jsonNumber(this.rounded().minus(other.rounded()))
  }

  /** Returns the sum with all of its digits, as a JSON number. */
  toExactNumber(): number {
    return this.others === ZERO ? this.cents / 100 : jsonNumber(this.exact())
  }

  private rounded(): Decimal {
    return money(this.exact())
  }

  private exact(): Decimal {
    return this.others.plus(decimal(this.cents).times(CENT))
  }
}

/** Returns the cents of an amount; undefined if it is not a whole number of cents, or is too large. */
export function centsOf(amount: DecimalLike): number | undefined {
  return typeof amount === 'object' ? undefined : known(amount)
}

const known = memoized((amount: string | number): number | undefined => {
  // The number nearest to a longer text may be a different amount.
  if (typeof amount === 'string' && amount.length > 15) return undefined
  const value = Number(amount)
  const cents = Math.round(value * 100)
  return Math.abs(cents) <= MOST_CENTS && cents / 100 === value ? cents : undefined
})
