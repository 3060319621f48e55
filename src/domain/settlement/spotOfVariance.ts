import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import { isInvoiced } from './actOnVariance.ts'
import type { StoredVariance } from './reconciliationResult.ts'

/**
 * Returns a key of the spot that a variance is about. Variances of a line that are found in the same rows are about one spot, which is disputed and
 * credited once; migration 0119 counts it so as well.
 */
export function spotOfVariance({ code, rows, variance_id }: Pick<StoredVariance, 'rows' | 'variance_id'> & { code: VarianceCode }): string {
  return isInvoiced(code) && rows.length > 0 ? JSON.stringify(rows) : variance_id
}
