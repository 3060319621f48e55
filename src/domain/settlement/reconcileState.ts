import type { Instant } from '../calendar.ts'

/** What a seller has left to reconcile. Its run shows it to operators: ids, words and counts only. */
export interface ReconcileState {
  readonly seller: string
  /** When the next order is due; null when none is. */
  readonly at: Instant | null
  /** Orders that are due now or later. */
  readonly waiting: number
  /** Those whose last recompute failed. */
  readonly failing: number
}
