import { mostGross } from '../../contract/vocabulary/bounds.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber } from '../decimal.ts'
import { Refusal } from '../refusal.ts'

/** The part of a cleared order that its agreement's credit cap is checked against. */
export interface OnCredit {
  agreement_id: string
  credit_limit: number
  /** The most that the order may total. */
  gross: DecimalLike
}

/** The amounts drawn on an agreement's credit that matter for one order. */
export interface Drawn {
  /** The amount drawn by all orders. Only one of an order and its revisions can end up placed, so only the most expensive counts. */
  exposure: DecimalLike
  /** The amount drawn by the most expensive other order of this order's family. */
  family: DecimalLike
  /** The amount drawn by this order so far. */
  own: DecimalLike
}

/**
 * Refuses a cleared order that would exceed the credit cap; reaching the cap exactly is allowed (contract, Credit). Only the
 * difference counts, so a revision is checked for what it adds, and an order that adds nothing is never refused.
 */
export function refuseBeyondCredit({ agreement_id, credit_limit, gross }: OnCredit, { exposure, family, own }: Drawn): void {
  const added = larger(gross, family).minus(larger(own, family))
  if (added.lte(decimal(0)) || decimal(exposure).plus(added).lte(decimal(credit_limit))) return
  const [worth, adds] = [jsonNumber(gross), jsonNumber(added)]
  const available = jsonNumber(availableCredit(credit_limit, exposure))
  const what = worth === adds ? `The order is worth ${worth}` : `The order is worth ${worth}, which adds ${adds} to its exposure`
  const message = `${what}; ${available} of the credit of ${credit_limit} under ${agreement_id} is available.`
  throw new Refusal('CREDIT_LIMIT', message, { agreement_id, credit_limit, exposure: jsonNumber(exposure), available, gross: worth, adds })
}

function larger(a: DecimalLike, b: DecimalLike): Decimal {
  return decimal(a).gt(decimal(b)) ? decimal(a) : decimal(b)
}

/** Returns the total of an agreement's orders as a JSON number. Refuses a total that JSON cannot carry exactly (choices, Largest figures). */
export function statedGross({ agreement_id, currency }: { agreement_id: string; currency: string }, gross: DecimalLike): number {
  const maximum = mostGross(currency)
  if (decimal(gross).lte(decimal(maximum))) return jsonNumber(gross)
  const message = `The orders under ${agreement_id} total ${gross}; the total must be at most ${maximum}.`
  throw new Refusal('INVALID_INPUT', message, { field: 'agreement_id', maximum })
}

/** Returns the limit minus the exposure (contract, Credit). */
export function availableCredit(creditLimit: DecimalLike, exposure: DecimalLike): Decimal {
  return decimal(creditLimit).minus(decimal(exposure))
}
