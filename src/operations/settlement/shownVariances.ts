import type { Variance } from '../../contract/reconciliation.ts'
import type { ReconciliationState } from '../../contract/vocabulary/reconciliation.ts'
import { addTo } from '../../domain/addTo.ts'
import type { StoredLine, StoredVariance } from '../../domain/settlement/reconciliationResult.ts'
import { varianceState } from '../../domain/settlement/varianceState.ts'
import type { StoredStep } from '../../store/settlement/varianceSteps.ts'

/** A line with all actions on its variances, and the state of its order's result. */
export interface ActedLine {
  readonly state: ReconciliationState | null
  readonly body: StoredLine | null
  readonly steps: readonly StoredStep[]
}

/** Returns a line's variances as both parties read them: those of the result, then those that were acted on but that new data has ended. */
export function shownVariances(line: ActedLine): Variance[] {
  const stepsOf = stepsById(line)
  const current = openVariances(line).map((variance) => shown(variance, stepsOf.get(variance.variance_id) ?? [], variance))
  for (const { variance_id } of current) stepsOf.delete(variance_id)
  return [...current, ...[...stepsOf.values()].map((ended) => shown(lastOf(ended), ended, undefined))]
}

/**
 * Returns the variances that a line has. While an order is too large to be matched, no result can end one, so acted-on ones stay unchanged.
 */
export function openVariances(line: ActedLine): readonly StoredVariance[] {
  if (line.body !== null) return line.body.variances
  return line.state === 'too_large' ? [...stepsById(line).values()].map(lastOf) : []
}

function stepsById({ steps }: ActedLine): Map<string, StoredStep[]> {
  const byId = new Map<string, StoredStep[]>()
  for (const step of steps) addTo(byId, step.variance_id, step)
  return byId
}

/** Returns a variance with the figures of the last action on it. */
function lastOf(steps: readonly StoredStep[]): StoredVariance {
  const { variance_id, code, units, gross } = steps.at(-1) as StoredStep
  return { variance_id, code, units, gross, rows: [] }
}

function shown(
  { variance_id, code, units, gross, reason, makegood_id, agreed, rows }: StoredVariance,
  steps: readonly StoredStep[],
  now: StoredVariance | undefined,
): Variance {
  const state = varianceState(steps, now)
  return {
    variance_id,
    code,
    state,
    units,
    gross,
    ...(reason === undefined ? {} : { reason }),
    ...(makegood_id === undefined ? {} : { makegood_id }),
    ...(agreed === undefined ? {} : { agreed }),
    rows: [...rows],
    actions: steps.map(shownStep),
  }
}

function shownStep({ action, side, actor, note, amount, invoice_id, units, gross, at }: StoredStep): Variance['actions'][number] {
  return {
    ...{ action, side, actor, ...(note === null ? {} : { note }), ...(amount === null ? {} : { amount }) },
    ...{ ...(invoice_id === null ? {} : { invoice_id }), units, gross, at },
  }
}
