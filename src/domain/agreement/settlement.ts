import { MOST_GROSS } from '../../contract/vocabulary.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber } from '../decimal.ts'
import { Refusal } from '../refusal.ts'

/** An order that is cleared under an agreement with a credit cap, as far as the cap is concerned. */
export interface OnCredit {
  agreement_id: string
  credit_limit: number
  /** What the order may come to. */
  gross: DecimalLike
}

/** What is drawn on an agreement's credit, and what of it counts for the order that would draw. */
export interface Drawn {
  /** By all orders; of an order and its revisions only one can be placed in the end, so that the dearest of them counts. */
  exposure: DecimalLike
  /** By the dearest other order of this order's family. */
  family: DecimalLike
  /** By this order itself, before. */
  own: DecimalLike
}

/**
 * A cleared order that would breach the credit cap is refused; reaching it exactly is no breach (spec, Errors: CREDIT_LIMIT). What counts is the
 * difference that it makes, so that a revision is held to what it adds; an order that adds nothing is never refused.
 */
export function refuseBeyondCredit({ agreement_id, credit_limit, gross }: OnCredit, { exposure, family, own }: Drawn): void {
  const added = larger(gross, family).minus(larger(own, family))
  if (added.lte(decimal(0)) || decimal(exposure).plus(added).lte(decimal(credit_limit))) return
  const [worth, adds] = [jsonNumber(gross), jsonNumber(added)]
  const available = jsonNumber(availableCredit(credit_limit, exposure))
  const what = worth === adds ? `The order is worth ${worth}` : `The order is worth ${worth}, ${adds} more than counted so far`
  const message = `${what}; ${available} of the credit of ${credit_limit} under ${agreement_id} is available.`
  throw new Refusal('CREDIT_LIMIT', message, { agreement_id, credit_limit, exposure: jsonNumber(exposure), available, gross: worth, adds })
}

function larger(a: DecimalLike, b: DecimalLike): Decimal {
  return decimal(a).gt(decimal(b)) ? decimal(a) : decimal(b)
}

/** What the orders of an agreement come to together, as a JSON number; refused when such a number would not carry it (choices, Largest figures). */
export function statedGross(agreement_id: string, gross: DecimalLike): number {
  if (decimal(gross).lte(decimal(MOST_GROSS))) return jsonNumber(gross)
  const message = `The orders under ${agreement_id} come to ${gross}; at most ${MOST_GROSS} can be stated exactly.`
  throw new Refusal('INVALID_INPUT', message, { field: 'agreement_id', maximum: MOST_GROSS })
}

/** Derived: the limit less the exposure (spec, Buyer: settlement). */
export function availableCredit(creditLimit: DecimalLike, exposure: DecimalLike): Decimal {
  return decimal(creditLimit).minus(decimal(exposure))
}
