import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import { type Decimal, type DecimalLike, decimal, sum } from '../decimal.ts'
import { isInvoiced } from './actOnVariance.ts'
import type { StoredLine, StoredVariance } from './reconciliationResult.ts'
import { spotsOfVariances } from './spotsOfVariances.ts'

/** A credit for a variance of a line. */
export interface CreditingStep {
  readonly variance_id: string
  readonly code: VarianceCode
  readonly amount: DecimalLike | null
}

/**
 * Returns how much of the spot of a variance has been credited. Spots have no ids: the credit of a variance that new data has ended may
 * concern any spot of the line that varies now. So a line is credited at most what its varying spots cost, and no more than it orders.
 */
export function creditedOf(
  line: Pick<StoredLine, 'ordered_gross' | 'variances'>,
  steps: readonly CreditingStep[],
  { variance_id, code, gross }: Pick<StoredVariance, 'variance_id' | 'code' | 'gross'>,
): Decimal {
  const spots = spotsOfVariances(line.variances)
  const spotOf = (id: string) => spots.get(id) ?? id
  const ofSpot = creditedBy(steps.filter((step) => spotOf(step.variance_id) === spotOf(variance_id)))
  if (!isInvoiced(code)) return ofSpot
  const others = mostToCredit(line, spots).minus(decimal(gross))
  const beyondOthers = creditedBy(steps.filter((step) => isInvoiced(step.code))).minus(others)
  return beyondOthers.gt(ofSpot) ? beyondOthers : ofSpot
}

/** Returns the amount that the platform's invoice bills for the varying spots of a line. */
export function mostToCredit(
  { ordered_gross, variances }: Pick<StoredLine, 'ordered_gross' | 'variances'>,
  spots = spotsOfVariances(variances),
): Decimal {
  const prices = new Map<string, number>()
  for (const { variance_id, code, gross } of variances) {
    const spot = spots.get(variance_id) as string
    if (isInvoiced(code)) prices.set(spot, Math.max(gross, prices.get(spot) ?? 0))
  }
  const varying = sum(prices.values())
  return varying.gt(decimal(ordered_gross)) ? decimal(ordered_gross) : varying
}

export function creditedBy(steps: readonly CreditingStep[]): Decimal {
  return sum(steps.map(({ amount }) => amount ?? 0))
}
