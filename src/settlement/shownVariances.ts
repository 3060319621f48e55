import type { Variance } from '../contract/reconciliation.ts'
import { addTo } from '../domain/settlement/keyOf.ts'
import type { StoredLine, StoredVariance } from '../domain/settlement/reconciliationResult.ts'
import { varianceState } from '../domain/settlement/varianceState.ts'
import type { StoredStep } from '../store/settlement/varianceSteps.ts'

/** The variances of a line as both parties read them: those of the result, then those that were acted on and that new data has ended. */
export function shownVariances(body: StoredLine | null, steps: readonly StoredStep[]): Variance[] {
  const stepsOf = new Map<string, StoredStep[]>()
  for (const step of steps) addTo(stepsOf, step.variance_id, step)
  const current = (body?.variances ?? []).map((variance) => shown(variance, stepsOf.get(variance.variance_id) ?? [], variance))
  for (const { variance_id } of current) stepsOf.delete(variance_id)
  return [...current, ...[...stepsOf.values()].map((ended) => shown({ ...(ended.at(-1) as StoredStep), rows: [] }, ended, undefined))]
}

/** What has ended has the figures of the last action on it. */
function shown(
  { variance_id, code, units, gross, reason, rows }: StoredVariance,
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
