import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import { isInvoiced } from './actOnVariance.ts'
import { keyOf } from './keyOf.ts'
import type { StoredVariance } from './reconciliationResult.ts'

type Located = Pick<StoredVariance, 'rows' | 'variance_id'> & { code: VarianceCode }

/**
 * Returns the spot of each variance of a line, by variance_id. Variances with the same rows concern one spot, which is disputed and
 * credited once; several variances of one code concern as many spots. Migration 0195 counts in the same way.
 */
export function spotsOfVariances(variances: readonly Located[]): Map<string, string> {
  const seen = new Map<string, number>()
  return new Map(
    variances.map(({ code, rows, variance_id }) => {
      if (!isInvoiced(code) || rows.length === 0) return [variance_id, variance_id]
      const found = JSON.stringify(rows)
      const ofCode = keyOf(code, found)
      const place = seen.get(ofCode) ?? 0
      seen.set(ofCode, place + 1)
      return [variance_id, keyOf(found, place)]
    }),
  )
}
