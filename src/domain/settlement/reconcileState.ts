import type { Instant } from '../calendar.ts'

/** The orders that a seller still has to reconcile. Its run shows this to operators, so it contains only ids, words and counts. */
export interface ReconcileState {
  readonly seller: string
  /** The time at which the next order is due; null if none is. */
  readonly at: Instant | null
  /** The number of orders that are due now or later. */
  readonly waiting: number
  /** The number of orders whose last recompute failed. */
  readonly failing: number
}
