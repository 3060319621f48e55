import { MOST_GROSS } from '../../contract/vocabulary.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber } from '../decimal.ts'
import { Refusal } from '../refusal.ts'

/** An order that is cleared under an agreement with a credit cap, as far as the cap is concerned. */
export interface OnCredit {
  agreement_id: string
  credit_limit: number
  /** totals.gross of the order. */
  gross: number
}

/** A cleared order that would breach the credit cap is refused at create; reaching it exactly is no breach (spec, Errors: CREDIT_LIMIT). */
export function refuseBeyondCredit({ agreement_id, credit_limit, gross }: OnCredit, exposure: DecimalLike): void {
  const after = decimal(exposure).plus(decimal(gross))
  if (after.lte(decimal(credit_limit))) return
  const available = jsonNumber(availableCredit(credit_limit, exposure))
  const message = `The order is worth ${gross}; ${available} of the credit of ${credit_limit} under ${agreement_id} is available.`
  throw new Refusal('CREDIT_LIMIT', message, { agreement_id, credit_limit, exposure: jsonNumber(exposure), available, gross })
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
