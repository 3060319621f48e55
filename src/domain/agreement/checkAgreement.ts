import type { PutAgreement } from '../../contract/agreement.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import { mostGross } from '../../contract/vocabulary/bounds.ts'
import { finerThanCurrency } from '../../contract/vocabulary/minorUnits.ts'
import { invalid, Refusal, refuseIfAny } from '../refusal.ts'

/** Refuses an agreement that lists a product twice in its overrides, `*` included (contract, Agreement: 422 DUPLICATE_DISCLOSURE_OVERRIDE). */
export function checkAgreement({
  disclosure_overrides = [],
  posting_policy_overrides = [],
}: Pick<PutAgreement, 'disclosure_overrides' | 'posting_policy_overrides'>): void {
  const twice = firstRepeated(disclosure_overrides)
  if (twice !== undefined) {
    const { index, product_id } = twice
    const details = { field: `disclosure_overrides.${index}.product_id`, product_id }
    throw new Refusal('DUPLICATE_DISCLOSURE_OVERRIDE', `${product_id} is listed twice in disclosure_overrides.`, details)
  }
  const again = firstRepeated(posting_policy_overrides)
  if (again !== undefined) {
    const details = { field: `posting_policy_overrides.${again.index}.product_id` }
    throw new Refusal('INVALID_INPUT', `${again.product_id} is listed twice in posting_policy_overrides.`, details)
  }
}

/** Refuses a limit that is finer than its currency, or that a JSON number would not carry exactly (choices, Minor units, Largest figures). */
export function checkLimits({
  currency,
  credit_limit,
  commitment_gross,
}: Pick<PutAgreement, 'credit_limit' | 'commitment_gross'> & { currency: string }): void {
  const maximum = mostGross(currency)
  const limits = Object.entries({ credit_limit, commitment_gross })
  refuseIfAny(
    limits.flatMap(([field, limit = 0]): Fault[] => {
      const fault = limit > maximum ? `must be at most ${maximum}` : finerThanCurrency(limit, currency)
      return fault === undefined ? [] : [invalid(field, `${field} ${fault}.`)]
    }),
  )
}

function firstRepeated(overrides: readonly { product_id: string }[]): { index: number; product_id: string } | undefined {
  const seen = new Set<string>()
  for (const [index, { product_id }] of overrides.entries()) {
    if (seen.has(product_id)) return { index, product_id }
    seen.add(product_id)
  }
  return undefined
}
