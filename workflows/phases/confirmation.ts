import { type Phase, park } from './phase.ts'

/**
 * With the buyer: nothing is done here but waiting for the log to move on. When the plan expires, the next look shows it, and the order goes on
 * waiting: whether it has expired is the log's to say, when the buyer confirms.
 */
export const confirmation: Phase = (at) => park(at, at.order.due_at)
