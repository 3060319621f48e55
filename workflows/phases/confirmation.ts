import { type Phase, park } from './phase.ts'

/** With the buyer: nothing is done here but waiting for the log to move on. */
export const confirmation: Phase = (at) => park(at, at.order.due_at)
