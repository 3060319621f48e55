import { type Phase, park } from './phase.ts'

/** A counter stands: nothing is done here but waiting for the log to move on. */
export const negotiation: Phase = (at) => park(at, at.order.due_at)
