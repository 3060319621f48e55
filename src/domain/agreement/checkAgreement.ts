import type { PutAgreement } from '../../contract/agreement.ts'
import { Refusal } from '../refusal.ts'

/** Refuses an agreement that lists a product twice in its overrides, `*` included (spec, Agreement; 422 DUPLICATE_DISCLOSURE_OVERRIDE). */
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

function firstRepeated(overrides: readonly { product_id: string }[]): { index: number; product_id: string } | undefined {
  const seen = new Set<string>()
  for (const [index, { product_id }] of overrides.entries()) {
    if (seen.has(product_id)) return { index, product_id }
    seen.add(product_id)
  }
  return undefined
}
