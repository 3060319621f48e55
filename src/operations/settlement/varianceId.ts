import { createHash } from 'node:crypto'
import type { Variance } from '../../domain/settlement/reconciliationLines.ts'
import type { StoredLine } from '../../domain/settlement/reconciliationResult.ts'
import { spotsOfVariances } from '../../domain/settlement/spotsOfVariances.ts'
import { base32 } from '../../store/connection/newId.ts'

/** Where a variance is: the n-th of its code on a line of an order. */
export type VariancePlace = Pick<Variance, 'code' | 'n'> & {
  order_id: string
  unit_id: string | null
  network: string
  air_date: string
}

/** Returns the id of a variance, which stays the same as long as new data leaves the variance in its place. */
export function varianceId({ order_id, unit_id, network, air_date, code, n }: VariancePlace): string {
  return `var_${hashOf(JSON.stringify([order_id, unit_id, network, air_date, code, n]))}`
}

/** Names the spot of a variance within its line. All variances about one spot share the name, as long as their rows stay the same. */
export function spotOfVariance({ variances }: Pick<StoredLine, 'variances'>, variance_id: string): string | null {
  const spot = spotsOfVariances(variances).get(variance_id)
  return spot === undefined ? null : `spot_${hashOf(spot)}`
}

function hashOf(text: string): string {
  return base32(createHash('sha256').update(text).digest().subarray(0, 16))
}
