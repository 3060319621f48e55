import type { Fault } from '../../contract/errorEnvelope.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { narrowed } from '../agreement/permissions.ts'
import { isPeriodStart } from '../calendar.ts'

/**
 * Checks that the product offers a period's grain and that the buyer may use it (contract, Line item); `permitted` undefined restricts nothing.
 * details.permitted_grains is present only if an agreement excludes a grain that the product sells.
 */
export function checkGrain(
  product: Pick<Product, 'product_id' | 'grains'>,
  period: Period,
  permitted: ReadonlySet<Grain> | undefined,
  field: string,
): Fault[] {
  if (!product.grains.includes(period.grain)) {
    const message = `${product.product_id} is not sold by ${period.grain}; it is sold by ${product.grains.join(', ')}.`
    return [{ error_code: 'GRAIN_NOT_OFFERED', field: `${field}.grain`, message }]
  }
  const permitted_grains = narrowed(product.grains, permitted)
  if (!permitted_grains.includes(period.grain)) {
    const message = `${period.grain} is not permitted for ${product.product_id} by the agreements of this buyer.`
    return [{ error_code: 'GRAIN_NOT_OFFERED', field: `${field}.grain`, message, details: { permitted_grains } }]
  }
  return []
}

/** Checks that a period exists: not every year has a week 53. */
export function checkStart({ grain, start }: Period, field: string): Fault[] {
  return isPeriodStart(grain, start) ? [] : [{ error_code: 'INVALID_INPUT', field: `${field}.start`, message: `${start} does not exist.` }]
}
