import { type Decimal, type DecimalLike, decimal, jsonNumber, money } from '../decimal.ts'
import { memoized } from '../memoized.ts'

const ZERO: Decimal = decimal(0)
/** Amounts up to here stay exact in a number of cents, however many of the largest order are added. */
const MOST_CENTS = 1e10
const CENT = decimal('0.01')

/** A sum of amounts. What is whole cents, as nearly all amounts are, is added as such: a tenth of what exact decimals cost. */
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

  /** Rounded to the cent, as JSON has it. */
  toNumber(): number {
    return this.others === ZERO ? this.cents / 100 : jsonNumber(this.rounded())
  }

  /** This sum less another, each rounded to the cent. */
  minus(other: MoneySum): number {
    if (this.others === ZERO && other.others === ZERO) return (this.cents - other.cents) / 100
    return jsonNumber(this.rounded().minus(other.rounded()))
  }

  /** Every digit of it, as JSON has it. */
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

/** The cents of an amount; undefined if it is no whole number of them, or large. */
export function centsOf(amount: DecimalLike): number | undefined {
  return typeof amount === 'object' ? undefined : known(amount)
}

const known = memoized((amount: string | number): number | undefined => {
  // A text of more digits may be another amount than the number that is nearest to it.
  if (typeof amount === 'string' && amount.length > 15) return undefined
  const value = Number(amount)
  const cents = Math.round(value * 100)
  return Math.abs(cents) <= MOST_CENTS && cents / 100 === value ? cents : undefined
})
