import type { VarianceAction, VarianceState } from '../../contract/vocabulary/reconciliation.ts'
import { type DecimalLike, decimal } from '../decimal.ts'

/** The figures of a variance. */
export interface VarianceFigures {
  readonly units: number
  readonly gross: DecimalLike
}

/** An action of a party on a variance, with the figures at that time. */
export interface VarianceStep extends VarianceFigures {
  readonly action: VarianceAction
  readonly note: string | null
  readonly amount: DecimalLike | null
}

/**
 * Returns the state of a variance. `now` has its figures in the result; without it new data has ended the variance. A step counts only
 * while the figures are the ones that it was about: a variance that was accepted at 300.00 is open again at 500.00.
 */
export function varianceState(steps: readonly VarianceStep[], now: VarianceFigures | undefined): VarianceState {
  if (now === undefined) return 'gone'
  const last = steps.at(-1)
  return last !== undefined && hasFigures(last, now) ? STATE_AFTER[last.action] : 'open'
}

export const STATE_AFTER = { accept: 'accepted', dispute: 'disputed', credit: 'credited', uphold: 'upheld' } as const satisfies Record<
  VarianceAction,
  VarianceState
>

function hasFigures(step: VarianceFigures, now: VarianceFigures): boolean {
  return step.units === now.units && decimal(step.gross).eq(decimal(now.gross))
}
