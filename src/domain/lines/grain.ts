import type { Fault } from '../../contract/errorEnvelope.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { narrowed } from '../agreement/permissions.ts'
import { isPeriodStart } from '../calendar.ts'

/**
 * A period's grain must be offered by the product and permitted to the buyer (spec, Line item); `permitted` undefined restricts nothing.
 * details.permitted_grains is present only when a relationship excluded a grain that the product sells.
 */
export function checkGrain(
  product: Pick<Product, 'product_id' | 'grains'>,
  period: Period,
  permitted: ReadonlySet<Grain> | undefined,
  field: string,
): Fault[] {
  if (!product.grains.includes(period.grain)) {
    const message = `${product.product_id} does not sell by ${period.grain}; it sells by ${product.grains.join(', ')}.`
    return [{ error_code: 'GRAIN_NOT_OFFERED', field: `${field}.grain`, message }]
  }
  const permitted_grains = narrowed(product.grains, permitted)
  if (!permitted_grains.includes(period.grain)) {
    const message = `Your agreements do not permit ${period.grain} for ${product.product_id}.`
    return [{ error_code: 'GRAIN_NOT_OFFERED', field: `${field}.grain`, message, details: { permitted_grains } }]
  }
  return []
}

/** A period must exist: not every year has a week 53. */
export function checkStart({ grain, start }: Period, field: string): Fault[] {
  return isPeriodStart(grain, start) ? [] : [{ error_code: 'INVALID_INPUT', field: `${field}.start`, message: `${start} does not exist.` }]
}
