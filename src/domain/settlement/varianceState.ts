import type { VarianceAction, VarianceState } from '../../contract/vocabulary/reconciliation.ts'
import { type DecimalLike, decimal } from '../decimal.ts'

/** What a variance comes to. */
export interface VarianceFigures {
  readonly units: number
  readonly gross: DecimalLike
}

/** What a party did about a variance, with its figures as of then. */
export interface VarianceStep extends VarianceFigures {
  readonly action: VarianceAction
  readonly note: string | null
  readonly amount: DecimalLike | null
}

/**
 * Returns the state of a variance. `now` is what the result has of it; without it new data has ended the variance. A step decides only while the figures
 * are those that it was about: what was accepted of 300.00 is open again at 500.00.
 */
export function varianceState(steps: readonly VarianceStep[], now: VarianceFigures | undefined): VarianceState {
  if (now === undefined) return 'gone'
  const last = steps.at(-1)
  return last !== undefined && isOf(last, now) ? STATE_AFTER[last.action] : 'open'
}

export const STATE_AFTER = { accept: 'accepted', dispute: 'disputed', credit: 'credited', uphold: 'upheld' } as const satisfies Record<
  VarianceAction,
  VarianceState
>

function isOf(step: VarianceFigures, now: VarianceFigures): boolean {
  return step.units === now.units && decimal(step.gross).eq(decimal(now.gross))
}
