import { LINE_COUNTS, type LineCount } from '../../contract/vocabulary/reconciliation.ts'
import { jsonNumber, money } from '../../domain/decimal.ts'
import type { ReconciliationTotals } from '../../domain/settlement/reconciliationLines.ts'
import type { ReconciliationCoverage } from '../../domain/settlement/reconciliationResult.ts'
import type { LargeSums } from '../../store/settlement/readTooLarge.ts'
import type { ReconciledHead } from '../../store/settlement/readToReconcile.ts'
import type { ReconciledOrder } from '../../store/settlement/saveReconciliations.ts'
import { digestOf } from './reconciledOrder.ts'

/** Returns what is shown of an order with too many spots or rows to match: what it books and what is billed. All its spots are open. */
export function tooLargeOrder(head: ReconciledHead, sums: LargeSums): ReconciledOrder {
  const ordered = money(sums.ordered_gross, head.currency)
  const billed = money(sums.billed_gross, head.currency)
  const counts = { ordered: sums.ordered, open: sums.ordered, billed: sums.billed }
  const totals: ReconciliationTotals = {
    ...(Object.fromEntries(LINE_COUNTS.map((name) => [name, 0])) as Record<LineCount, number>),
    ...counts,
    ordered_gross: jsonNumber(ordered),
    billed_gross: jsonNumber(billed),
    variance_gross: jsonNumber(billed.minus(ordered)),
  }
  const { days_booked, invoiced_months } = sums
  const coverage: ReconciliationCoverage = { days_booked, days_logged: 0, invoiced_months, invoices: [] }
  const texts = { coverage: JSON.stringify(coverage), totals: JSON.stringify(totals), guarantees: '[]' }
  return {
    head,
    state: 'too_large',
    ...texts,
    codes: [],
    broadcast_months: [],
    digest: digestOf(['too_large', head.currency, texts.coverage, texts.totals]),
    lines: [],
  }
}
