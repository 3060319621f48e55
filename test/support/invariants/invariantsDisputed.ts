import type pg from 'pg'
import { type Decimal, decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { keyOf } from '../../../src/domain/settlement/keyOf.ts'
import type { StoredVariance } from '../../../src/domain/settlement/reconciliationResult.ts'
import { spotOfVariance } from '../../../src/domain/settlement/spotOfVariance.ts'
import { varianceState } from '../../../src/domain/settlement/varianceState.ts'
import type { StoredStep } from '../../../src/store/settlement/varianceSteps.ts'
import type { Violation } from './invariants.ts'

interface Acted {
  order_id: string
  steps: (StoredStep & { n: number; disputed: number; note_gross: number | null })[]
  lines: { line: number; broadcast_month: string; variances: StoredVariance[] }[]
  invoices: { invoice_id: string; broadcast_month: string; gross: string; disputed: string }[]
}

/** What is disputed of each invoice is what the disputes of its month come to that stand, and each credit of a cleared order has its credit note. */
export async function brokenDisputes(client: pg.Client): Promise<Violation[]> {
  const { rows } = await client.query<Acted>(ACTED)
  return rows.flatMap(({ order_id, steps, lines, invoices }) => {
    const broken = (problem: string): Violation => ({ invariant: 'I19', order_id, problem })
    const found: Violation[] = []
    for (const [id, taken] of stepsById(steps)) {
      if (taken.some(({ n }, index) => n !== index + 1)) found.push(broken(`the actions on ${id} are not numbered one by one`))
      for (const { amount, note_gross } of taken)
        if (note_gross !== null && !sameAmount(-note_gross, amount ?? 0))
          found.push(broken(`a credit of ${id} is not that of its credit note`))
    }
    const expected = disputedByMonth(stepsById(steps), lines)
    for (const { invoice_id, broadcast_month, gross, disputed } of invoices) {
      const sumOfMonth = expected.get(broadcast_month) ?? decimal(0)
      const most = sumOfMonth.gt(decimal(gross)) ? decimal(gross) : sumOfMonth
      if (!sameAmount(disputed, most)) found.push(broken(`${invoice_id} has ${disputed} disputed; its disputes come to ${most}`))
    }
    return found
  })
}

function stepsById(steps: Acted['steps']): Map<string, Acted['steps']> {
  const byId = new Map<string, Acted['steps']>()
  for (const step of steps) byId.set(step.variance_id, [...(byId.get(step.variance_id) ?? []), step])
  return byId
}

function disputedByMonth(steps: Map<string, Acted['steps']>, lines: Acted['lines']): Map<string, Decimal> {
  const spots = new Map<string, { month: string; disputed: Decimal }>()
  for (const { line, broadcast_month, variances } of lines) {
    for (const variance of variances) {
      const taken = steps.get(variance.variance_id) ?? []
      if (!['disputed', 'upheld'].includes(varianceState(taken, variance))) continue
      const disputed = decimal(taken.at(-1)?.disputed ?? 0)
      const key = keyOf(line, spotOfVariance(variance))
      const other = spots.get(key)
      if (other === undefined || disputed.gt(other.disputed)) spots.set(key, { month: broadcast_month, disputed })
    }
  }
  const months = new Map<string, Decimal>()
  for (const { month, disputed } of spots.values()) months.set(month, sum([months.get(month) ?? 0, disputed]))
  return months
}

const ACTED = `
  select r.order_id,
    (select json_agg(json_build_object('variance_id', variance_id, 'n', a.n, 'action', action, 'note', note, 'amount', amount, 'units', a.units,
        'gross', a.gross, 'disputed', a.disputed, 'note_gross', c.gross) order by variance_id, a.n)
      from variance_actions a left join invoices c using (invoice_id) where a.order_id = r.order_id) as steps,
    (select coalesce(json_agg(json_build_object('line', line, 'broadcast_month', broadcast_month, 'variances', coalesce(body->'variances', '[]'::json))), '[]')
      from reconciliation_lines l where l.order_id = r.order_id and l.result = r.result) as lines,
    (select coalesce(json_agg(json_build_object('invoice_id', invoice_id, 'broadcast_month', broadcast_month, 'gross', gross::text, 'disputed', disputed::text)), '[]')
      from invoices i where i.order_id = r.order_id and kind = 'invoice' and n = 1) as invoices
  from reconciliations r where exists (select from variance_actions a where a.order_id = r.order_id)`
